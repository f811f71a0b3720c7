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

    /** The lock of which one client holds a lease during a whole rolling restart, while the others wait for it. */
    static final String WANTED = "fault:wanted";

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

    /** Whether this phase is a rolling restart: every fourth, or each one where no other fault is made. */
    boolean rolls(int phase) {
        boolean canRoll = kinds.contains(FaultKind.ROLLING_RESTART) && nodes >= 3;
        return canRoll && (kinds.size() == 1 || phase % 4 == 3);
    }

    /** A lock that only this client wants. */
    static String own(int client) {
        return "fault:own:" + client;
    }

    /**
     * How soon after the faults have ended every lock must have been held again: 7 s to stay, to connect and to try again; and
     * where locks have to expire and servers to sit out their quarantine, the lease, and the longest lease and a tenth. Where a
     * server was no master or was set to evict, clients look again every 5 s.
     */
    public Duration recoveryBound() {
        Duration settling = Duration.ofSeconds(kinds.stream().anyMatch(FaultKind::changesRoles) ? 12 : 7);
        return kinds.stream().allMatch(FaultKind::strikesConnectionsAlone)
                ? settling
                : settling.plus(lease).plus(lease.multipliedBy(11).dividedBy(10));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
