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

    private static final Duration LONGEST_PHASE = Duration.ofSeconds(15);

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
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                EnumSet.allOf(FaultKind.class));
    }

    /** The same with another lease. */
    public FaultPlan withLease(Duration newLease) {
        return new FaultPlan(seed, nodes, processes, threads, duration, newLease, longestFault, longestPause, kinds);
    }

    /** The same with these kinds of fault alone. */
    public FaultPlan withKinds(Set<FaultKind> newKinds) {
        return new FaultPlan(seed, nodes, processes, threads, duration, lease, longestFault, longestPause, newKinds);
    }

    static String resource(int index) {
        return "fault:" + index;
    }

    /** Of one lock the waiters are served strictly in order, of the other as it comes by default. */
    static boolean isFair(String resource) {
        return resource.equals(resource(1));
    }

    /** One lock is shared by some of those who want it. */
    static boolean isShared(String resource) {
        return resource.equals(resource(0));
    }

    /** The faults come in phases, with calm between them. */
    Duration phase() {
        return shorter(LONGEST_PHASE, duration);
    }

    int phases() {
        return Math.toIntExact(Math.max(1, duration.toMillis() / phase().toMillis()));
    }

    /**
     * How soon after the faults have ended every lock must have been held again: 7 s to stay, to connect and to try again; and
     * where locks have to expire and servers to sit out their quarantine, the lease, and the longest lease and a tenth.
     */
    public Duration recoveryBound() {
        Duration settling = Duration.ofSeconds(7);
        return kinds.stream().allMatch(FaultKind::strikesConnectionsAlone)
                ? settling
                : settling.plus(lease).plus(lease.multipliedBy(11).dividedBy(10));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
