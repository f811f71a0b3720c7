/** Clients of other projects and Holdfast on one key. */
@NullMarked
package io.holdfast.interop;

import org.jspecify.annotations.NullMarked;
