package io.holdfast.simulation.world;

import java.time.Duration;

/**
 * A broken promise.
 *
 * @param property the promise that was broken
 * @param at the time since the world began
 * @param what a description of the event
 */
public record Violation(Property property, Duration at, String what) {

    @Override
    public String toString() {
        return String.format("%10.6f s  %s: %s", at.toNanos() / 1e9, property, what);
    }
}
