/** A witness that checks what callers report. This package does not use the library. */
@NullMarked
package io.holdfast.stress.witness;

import org.jspecify.annotations.NullMarked;
