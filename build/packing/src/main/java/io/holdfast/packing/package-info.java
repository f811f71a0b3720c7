/** Part of the build: changes the jar of the command so that it starts sooner. Nothing of it is packed. */
@NullMarked
package io.holdfast.packing;

import org.jspecify.annotations.NullMarked;
