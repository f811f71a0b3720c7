package io.holdfast.faults;

/**
 * The observations of the witness.
 *
 * @param entries how often a client entered
 * @param handOvers how often the previous holder was in another process
 * @param overlaps how often a client entered while another was inside with a valid lease
 * @param disorders how often a fencing token was not greater than the previous one
 * @param longestGapMillis the longest time between two entries
 * @param overruns how many clients were suspended beyond the end of their lease while inside
 * @param sharedEntries how often a client entered beside another in shared mode
 * @param losses how many leases were lost while a majority of the servers had their keys
 */
public record Observations(
        long entries,
        long handOvers,
        long overlaps,
        long disorders,
        long longestGapMillis,
        long overruns,
        long sharedEntries,
        long losses) {

    static final Observations NONE = new Observations(0, 0, 0, 0, 0, 0, 0, 0);

    Observations entered(boolean shared, boolean handOver, boolean disorder, long gapMillis) {
        return new Observations(
                entries + 1,
                handOvers + (handOver ? 1 : 0),
                overlaps,
                disorders + (disorder ? 1 : 0),
                Math.max(longestGapMillis, gapMillis),
                overruns,
                sharedEntries + (shared ? 1 : 0),
                losses);
    }

    Observations left(long overlapped, long overrunMillis, boolean lost) {
        long late = overruns + (overrunMillis > 0 ? 1 : 0);
        return new Observations(
                entries,
                handOvers,
                overlaps + overlapped,
                disorders,
                longestGapMillis,
                late,
                sharedEntries,
                losses + (lost ? 1 : 0));
    }
}
