package io.holdfast.faults;

import io.holdfast.servers.Eventually;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a run.
 *
 * @param observations the observations of the witness
 * @param faults the number of faults of each kind
 * @param recoveryMillis the longest time from the end of a phase of faults until every lock was held again, and then
 *     until each healthy server had a key of each lock
 * @param keysLeft the number of lock keys that were left after all servers were healthy and all clients had stopped
 * @param missingVotes how often a healthy server had no key of a lock whose holder had another majority
 * @param votesWhileEvicting how often a server voted although it had been set to evict for seconds
 */
public record Report(
        FaultPlan plan,
        Observations observations,
        Map<FaultKind, Integer> faults,
        long recoveryMillis,
        int keysLeft,
        int missingVotes,
        int votesWhileEvicting) {

    /** Returns true if the locks kept the promises that do not depend on the speed of the machine. */
    public boolean isSafe() {
        return observations.entries() > 0
                && observations.overlaps() == 0
                && observations.disorders() == 0
                && missingVotes == 0
                && recoveryMillis < Eventually.BOUND.toMillis();
    }

    /** Returns true if the locks kept all promises, also those that name a time. */
    public boolean isGood() {
        return isSafe()
                && observations.losses() == 0
                && keysLeft == 0
                && votesWhileEvicting == 0
                && recoveryMillis <= plan.recoveryBound().toMillis();
    }

    public static String header() {
        return """
                | N | seed | time | holds | hand-overs | faults | overlaps | tokens out of order | longest gap in faults | longest recovery (bound) | keys left | stopped clients | holds beside another | holds lost in rolling restarts | votes missing | votes of evicting servers |
                |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|""";
    }

    /** Returns one line of the table that {@link #header} begins. */
    public String line() {
        int sum = faults.values().stream().mapToInt(Integer::intValue).sum();
        String nodes = plan.nodes() + (plan.otherNodes() > 0 ? " and " + plan.otherNodes() : "");
        return "| " + nodes + " | " + plan.seed() + " | "
                + plan.duration().toSeconds() + " s | "
                + observations.entries() + " | " + observations.handOvers() + " | " + sum + " | "
                + observations.overlaps() + " | " + observations.disorders() + " | " + observations.longestGapMillis()
                + " ms | " + recoveryMillis + " ms (" + plan.recoveryBound().toMillis() + ") | " + keysLeft + " | "
                + observations.overruns() + " | " + observations.sharedEntries() + " | "
                + observations.losses() + " | " + missingVotes + " | " + votesWhileEvicting + " |";
    }

    /** Returns the number of faults by kind, in one line. */
    public String faultLine() {
        return faults.entrySet().stream()
                .map(fault -> fault.getKey() + " " + fault.getValue())
                .collect(Collectors.joining(", "));
    }
}
