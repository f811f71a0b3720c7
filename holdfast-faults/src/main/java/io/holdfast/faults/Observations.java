package io.holdfast.faults;

/**
 * What the witness has seen.
 *
 * @param entries how often a client was inside
 * @param handOvers how often the one before was another process
 * @param overlaps how often a client entered while another was inside
 * @param disorders how often a fencing token was not greater than that of the one before
 * @param longestGapMillis the longest time in which nobody entered
 * @param overruns how many clients were stopped beyond the end of their lease while inside, so that an overlap was theirs
 * @param together how often a client came in beside another with whom it shares the lock
 * @param losses how many leases were lost while a majority of the servers kept them
 */
public record Observations(
        long entries,
        long handOvers,
        long overlaps,
        long disorders,
        long longestGapMillis,
        long overruns,
        long together,
        long losses) {

    static final Observations NONE = new Observations(0, 0, 0, 0, 0, 0, 0, 0);

    Observations entered(boolean overlap, boolean beside, boolean handOver, boolean disorder, long gapMillis) {
        return new Observations(
                entries + 1,
                handOvers + (handOver ? 1 : 0),
                overlaps + (overlap ? 1 : 0),
                disorders + (disorder ? 1 : 0),
                Math.max(longestGapMillis, gapMillis),
                overruns,
                together + (beside ? 1 : 0),
                losses);
    }

    Observations left(long overrunMillis, boolean lost) {
        long late = overruns + (overrunMillis > 0 ? 1 : 0);
        return new Observations(
                entries, handOvers, overlaps, disorders, longestGapMillis, late, together, losses + (lost ? 1 : 0));
    }
}
