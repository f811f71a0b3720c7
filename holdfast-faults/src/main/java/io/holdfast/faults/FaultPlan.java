package io.holdfast.faults;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Everything that decides a run but the scheduling of processes, which nobody controls.
 *
 * @param seed which faults come when, and where
 * @param nodes how many servers
 * @param processes how many client processes
 * @param threads how many threads in each of them contend
 * @param duration how long faults are made
 * @param lease the lease, which is the longest of the fleet as well
 * @param longestFault how long a fault lasts at most
 * @param longestPause how long the suite waits at most between two faults
 * @param kinds which faults are made
 */
public record FaultPlan(
        long seed,
        int nodes,
        int processes,
        int threads,
        Duration duration,
        Duration lease,
        Duration longestFault,
        Duration longestPause,
        Set<FaultKind> kinds) {

    /** How many locks the clients contend on. */
    static final int RESOURCES = 2;

    /** Three processes of two threads on this many servers, with every kind of fault. */
    public static FaultPlan of(long seed, int nodes, Duration duration) {
        return new FaultPlan(
                seed,
                nodes,
                3,
                2,
                duration,
                Duration.ofSeconds(2),
                Duration.ofMillis(1_500),
                Duration.ofMillis(1_500),
                EnumSet.allOf(FaultKind.class));
    }

    static String resource(int index) {
        return "fault:" + index;
    }

    /**
     * The longest time in which nobody may get a lock: faults that overlap keep a majority away, then its quarantine of the
     * longest lease and a tenth, then the lease of a holder who died, then connecting and trying again.
     */
    public Duration unavailabilityBound() {
        Duration quarantine = lease.plus(lease.dividedBy(10));
        return longestFault
                .multipliedBy(4)
                .plus(quarantine.multipliedBy(2))
                .plus(lease)
                .plusSeconds(5);
    }
}
