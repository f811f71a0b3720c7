package io.holdfast.stress;

import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import java.time.Duration;
import java.util.Locale;

/** The result of a run. */
record Report(
        StressPlan plan,
        Duration time,
        int epochs,
        long operations,
        long holds,
        int clientsReplaced,
        long longestPauseMillis,
        Findings findings) {

    /** Returns true if threads held locks and no promise was broken. */
    boolean isGood() {
        return holds > 0 && findings.isEmpty();
    }

    static String header() {
        return """
                | nodes | seed | threads | time | epochs | operations | holds | clients closed while in use | overlaps | tokens out of order | left over | other violations | longest pause |
                |---|---|---|---|---|---|---|---|---|---|---|---|---|""";
    }

    /** Returns one line of the table that {@link #header} begins. */
    String line() {
        long overlaps = findings.count(Kind.OVERLAP, Kind.TOO_MANY);
        long disorders = findings.count(Kind.TOKEN_ORDER, Kind.TOKEN_TWICE);
        long left = findings.count(Kind.LEFT_ON_NODES, Kind.LEFT_IN_CLIENT, Kind.LEFT_THREADS);
        long other = findings.count(Kind.values()) - overlaps - disorders - left;
        return "| " + plan.nodes().name().toLowerCase(Locale.ROOT) + " | " + plan.seed() + " | " + plan.threads()
                + " | " + time.toSeconds() + " s | " + epochs + " | " + operations + " | " + holds + " | "
                + clientsReplaced + " | " + overlaps + " | " + disorders + " | " + left + " | " + other + " | "
                + longestPauseMillis + " ms |";
    }

    /** Returns the violations, one per line. */
    String violations() {
        StringBuilder lines = new StringBuilder();
        findings.all().forEach(finding -> lines.append(finding).append('\n'));
        return lines.toString();
    }
}
