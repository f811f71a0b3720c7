/** The scenarios in which several processes contend for one lock. */
@NullMarked
package io.holdfast.benchmarks.handover;

import org.jspecify.annotations.NullMarked;
