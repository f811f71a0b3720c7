/**
 * A part of the build: changes the jar of the command so that it starts sooner. The jar does not contain this package.
 */
@NullMarked
package io.holdfast.packing;

import org.jspecify.annotations.NullMarked;
