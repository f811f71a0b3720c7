/** Tests of Holdfast and lock clients of other projects on the same keys. */
@NullMarked
package io.holdfast.interop;

import org.jspecify.annotations.NullMarked;
