/** A stress program: many threads use the library in every way at once, while a witness checks its promises. */
@NullMarked
package io.holdfast.stress;

import org.jspecify.annotations.NullMarked;
