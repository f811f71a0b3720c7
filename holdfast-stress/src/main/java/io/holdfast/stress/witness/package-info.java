/** Judges what callers report. Nothing in here uses the library. */
@NullMarked
package io.holdfast.stress.witness;

import org.jspecify.annotations.NullMarked;
