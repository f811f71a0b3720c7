/**
 * The algorithm: one round of votes, its tally and validity, the attempts until one is granted, and the hold that follows.
 * Not exported. Pure but for the time, randomness and nodes handed in.
 */
@NullMarked
package io.holdfast.quorum;

import org.jspecify.annotations.NullMarked;
