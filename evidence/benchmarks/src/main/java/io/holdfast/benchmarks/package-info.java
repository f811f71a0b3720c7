/** Benchmarks that compare costs side by side in one run, as ratios. */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
