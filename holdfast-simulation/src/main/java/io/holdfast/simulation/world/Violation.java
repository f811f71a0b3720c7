package io.holdfast.simulation.world;

import java.time.Duration;

/**
 * Something that must not happen, and has.
 *
 * @param property which promise was broken
 * @param at when, since the world began
 * @param what happened
 */
public record Violation(Property property, Duration at, String what) {

    @Override
    public String toString() {
        return String.format("%10.6f s  %s: %s", at.toNanos() / 1e9, property, what);
    }
}
