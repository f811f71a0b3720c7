package io.holdfast.quorum;

import java.time.Duration;

/**
 * How long an acquisition goes on.
 *
 * @param whileHeld in all; zero: one round
 * @param whileUnreachable while too few nodes answer, other than for a quarantine, which ends by itself
 */
public record Patience(Duration whileHeld, Duration whileUnreachable) {}
