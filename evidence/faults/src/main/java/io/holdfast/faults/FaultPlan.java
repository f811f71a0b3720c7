package io.holdfast.faults;

import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The parameters of a run, which determine everything except the scheduling of the processes.
 *
 * @param seed the seed of the choice and the times of faults
 * @param nodes the number of servers
 * @param otherNodes the number of servers of another set, to which the clients change, and back, all the time; 0: none
 * @param duration the time during which faults are made
 * @param lease the lease, which is also the longest lease of the first set of servers
 * @param kinds the kinds of faults
 * @param load the work of the clients
 * @param foreign the command of the last client, with the arguments and reports of {@link ClientProcess}, in any
 *     language; empty: that client is one of Holdfast as well
 */
public record FaultPlan(
        long seed,
        int nodes,
        int otherNodes,
        Duration duration,
        Duration lease,
        Set<FaultKind> kinds,
        Load load,
        List<String> foreign) {

    /**
     * The work of the clients.
     *
     * @param threads the number of contending threads in each client process
     * @param locks the number of locks on which they contend
     * @param longestStay the longest time for which most holders keep a lock; zero: no holder stays
     */
    public record Load(int threads, int locks, Duration longestStay) {}

    private static final Duration LONGEST_PHASE = Duration.ofSeconds(15);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);
    /** A step of a change needs a majority of each set for some seconds. */
    private static final Duration LONGEST_PAUSE_OF_A_CHANGE = Duration.ofSeconds(15);

    private static final Load LOAD = new Load(2, 2, Duration.ofMillis(60));

    /** The number of client processes. */
    static final int PROCESSES = 3;

    /** The longest duration of a fault. */
    static final Duration LONGEST_FAULT = Duration.ofSeconds(3);

    /** The lock that one client holds during a whole rolling restart, while the others wait for it. */
    static final String CONTENDED = "fault:contended";

    /** Returns a plan for three processes of two threads, with every kind of fault. */
    public static FaultPlan of(long seed, int nodes, Duration duration) {
        Set<FaultKind> every = EnumSet.allOf(FaultKind.class);
        return new FaultPlan(seed, nodes, 0, duration, Duration.ofSeconds(2), every, LOAD, List.of());
    }

    /** Returns this plan with so many servers of another set. */
    public FaultPlan withOtherNodes(int count) {
        return new FaultPlan(seed, nodes, count, duration, lease, kinds, load, foreign);
    }

    /** Returns this plan with another lease. */
    public FaultPlan withLease(Duration newLease) {
        return new FaultPlan(seed, nodes, otherNodes, duration, newLease, kinds, load, foreign);
    }

    /** Returns this plan with only these kinds of fault. */
    public FaultPlan withKinds(Set<FaultKind> newKinds) {
        return new FaultPlan(seed, nodes, otherNodes, duration, lease, newKinds, load, foreign);
    }

    /** Returns this plan with another client of this command in place of the last one. */
    public FaultPlan withForeign(List<String> command) {
        return new FaultPlan(seed, nodes, otherNodes, duration, lease, kinds, load, command);
    }

    /** Returns true if this client is not one of Holdfast. */
    boolean isForeign(int client) {
        return !foreign.isEmpty() && client == PROCESSES - 1;
    }

    static String resource(int index) {
        return "fault:" + index;
    }

    /** Returns true for a lock whose waiters are served strictly in order; other locks are not fair. */
    static boolean isFair(int index) {
        return index % 2 == 1;
    }

    /** Returns true for a lock that some clients request in shared mode. */
    static boolean isShared(int index) {
        return index % 2 == 0;
    }

    /** Returns the options of a client of a set with this longest lease, and of the previous set if there is one. */
    static HoldfastOptions options(Duration longestLease, List<String> previousNodes, Duration previousLongestLease) {
        return HoldfastOptions.builder()
                .maxLease(longestLease)
                .previousNodes(previousNodes)
                .previousMaxLease(previousLongestLease)
                .restarts(RestartPolicy.QUARANTINE)
                .build();
    }

    /** Returns the longest lease of the other set: each change of the servers is one of the longest lease, too. */
    Duration otherLongestLease() {
        return lease.multipliedBy(3).dividedBy(2);
    }

    /** Returns the length of a phase of faults; phases are separated by calm periods. */
    Duration phase() {
        return Durations.shorter(LONGEST_PHASE, duration);
    }

    /** Returns the longest pause between two faults of a server, or of the clients. */
    Duration longestPause() {
        return changes() ? LONGEST_PAUSE_OF_A_CHANGE : LONGEST_PAUSE;
    }

    /** Returns true if the clients change to another set of servers and back, all the time. */
    boolean changes() {
        return otherNodes > 0 && kinds.contains(FaultKind.CHANGE_SET);
    }

    int phases() {
        return Math.toIntExact(Math.max(1, duration.toMillis() / phase().toMillis()));
    }

    /**
     * Returns true if this phase is a rolling restart: every fourth phase, or every one if no other fault is made.
     * While the set of servers changes, there is none.
     */
    boolean rolls(int phase) {
        boolean canRoll = kinds.contains(FaultKind.ROLLING_RESTART) && nodes >= 3 && !changes();
        return canRoll && (kinds.size() == 1 || phase % 4 == 3);
    }

    /** Returns the name of a lock that only this client requests. */
    static String own(int client) {
        return "fault:own:" + client;
    }

    /**
     * Returns the time after the end of the faults within which every lock must have been held again. It is 7 s for
     * holding, reconnecting and retrying; if locks have to expire and servers to pass their quarantine, also the lease
     * and 110 % of the longest lease. Clients probe a server that was demoted or set to evict every 5 s.
     */
    public Duration recoveryBound() {
        Duration settling = Duration.ofSeconds(kinds.stream().anyMatch(FaultKind::changesRoles) ? 12 : 7);
        Duration longest = changes() ? otherLongestLease() : lease;
        return kinds.stream().allMatch(FaultKind::strikesOnlyConnections)
                ? settling
                : settling.plus(lease).plus(longest.multipliedBy(11).dividedBy(10));
    }
}
