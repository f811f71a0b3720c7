/** The clients that the benchmarks compare, and the loops of commands that they are measured against. */
@NullMarked
package io.holdfast.benchmarks.contestant;

import org.jspecify.annotations.NullMarked;
