package io.holdfast.simulation.plan;

import java.time.Duration;

/**
 * How messages travel.
 *
 * @param usualDelay the longest delay of most messages
 * @param longestDelay that of the stragglers
 * @param stragglers their share, 0 to 1
 * @param loss the share of messages that never arrive
 * @param duplicates the share that arrives twice
 * @param disorder the share that may overtake what was sent before
 */
public record Network(
        Duration usualDelay,
        Duration longestDelay,
        double stragglers,
        double loss,
        double duplicates,
        double disorder) {

    /** Half a millisecond at most, and nothing goes wrong. */
    public static final Network GOOD = new Network(Duration.ofNanos(500_000), Duration.ofMillis(5), 0, 0, 0, 0);

    /** The same network with fewer stragglers and losses: a connection stops at each of them, so many messages would never get through. */
    public Network forManyMessages() {
        return new Network(usualDelay, longestDelay, stragglers / 10, loss / 10, duplicates, disorder);
    }
}
