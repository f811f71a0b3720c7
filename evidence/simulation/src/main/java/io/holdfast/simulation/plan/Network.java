package io.holdfast.simulation.plan;

import java.time.Duration;

/**
 * The behaviour of messages in transit.
 *
 * @param usualDelay the longest delay of most messages
 * @param longestDelay the longest delay of the stragglers
 * @param stragglers their share, 0 to 1
 * @param loss the share of messages that never arrive
 * @param duplicates the share of messages that arrive twice
 * @param disorder the share of messages that may overtake earlier ones
 */
public record Network(
        Duration usualDelay,
        Duration longestDelay,
        double stragglers,
        double loss,
        double duplicates,
        double disorder) {

    /** A network without faults: messages take half a millisecond at most. */
    public static final Network GOOD = new Network(Duration.ofNanos(500_000), Duration.ofMillis(5), 0, 0, 0, 0);

    /**
     * Returns this network with fewer stragglers and losses: each stalls its connection, which would block many
     * messages.
     */
    public Network forManyMessages() {
        return new Network(usualDelay, longestDelay, stragglers / 10, loss / 10, duplicates, disorder);
    }
}
