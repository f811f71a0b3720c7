/** Samples, medians and charts. */
@NullMarked
package io.holdfast.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
