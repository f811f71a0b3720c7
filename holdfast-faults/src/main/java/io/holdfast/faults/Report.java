package io.holdfast.faults;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came of a run.
 *
 * @param observations what the witness saw
 * @param faults how many of each kind were made
 * @param recoveryMillis the longest time from the end of a phase of faults until every lock was held again
 * @param keysLeft lock keys that were still there when all was healthy again and all clients had stopped
 */
public record Report(
        FaultPlan plan, Observations observations, Map<FaultKind, Integer> faults, long recoveryMillis, int keysLeft) {

    /** Whether the locks did what they promise. */
    public boolean isGood() {
        return observations.entries() > 0
                && observations.overlaps() == 0
                && observations.disorders() == 0
                && keysLeft == 0
                && recoveryMillis <= plan.recoveryBound().toMillis();
    }

    public static String header() {
        return """
                | N | seed | time | holds | hand-overs | faults | overlaps | tokens out of order | longest gap in faults | longest recovery (bound) | keys left | stopped clients | holds beside another |
                |---|---|---|---|---|---|---|---|---|---|---|---|---|""";
    }

    /** One line of the table that {@link #header} begins. */
    public String line() {
        int sum = faults.values().stream().mapToInt(Integer::intValue).sum();
        return "| " + plan.nodes() + " | " + plan.seed() + " | "
                + plan.duration().toSeconds() + " s | "
                + observations.entries() + " | " + observations.handOvers() + " | " + sum + " | "
                + observations.overlaps() + " | " + observations.disorders() + " | " + observations.longestGapMillis()
                + " ms | " + recoveryMillis + " ms (" + plan.recoveryBound().toMillis() + ") | " + keysLeft + " | "
                + observations.overruns() + " | " + observations.together() + " |";
    }

    /** The faults by kind, in one line. */
    public String faultLine() {
        return faults.entrySet().stream()
                .map(fault -> fault.getKey() + " " + fault.getValue())
                .collect(Collectors.joining(", "));
    }
}
