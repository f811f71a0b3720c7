/**
 * The rounds of votes: tally, verdict, validity, drift, fences and cleanup. Not exported. Time, randomness and nodes
 * are parameters.
 */
@NullMarked
package io.holdfast.quorum;

import org.jspecify.annotations.NullMarked;
