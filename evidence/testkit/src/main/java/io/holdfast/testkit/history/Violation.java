package io.holdfast.testkit.history;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A promise that a history has broken.
 *
 * @param part the operations that contradict each other, in the order in which they began
 */
public record Violation(Kind kind, List<Operation> part) {

    /** The kinds of violations. */
    public enum Kind {
        REGISTER("no order of these reads and writes explains their values"),
        UPDATE("no order of holds explains these values: an update was lost"),
        OVERLAP("two holders relied on their holds at the same time"),
        TOKEN("a token is not above one that was granted before its acquire began"),
        LATE_LOSS("a loss was reported after the next grant");

        private final String description;

        Kind(String description) {
            this.description = description;
        }
    }

    /** Copies and sorts the operations. */
    public Violation {
        part = part.stream()
                .sorted(Comparator.comparingLong(Operation::begun).thenComparingLong(Operation::latest))
                .toList();
    }

    /** Returns the description and one line for each operation, with times since the first one. */
    @Override
    public String toString() {
        long start = part.get(0).begun();
        return part.stream()
                .map(operation -> "\n  " + describe(operation, start))
                .collect(Collectors.joining("", kind.description, ""));
    }

    private static String describe(Operation operation, long start) {
        String end = operation.ended() == null ? "pending" : millis(operation.ended() - start);
        return millis(operation.begun() - start) + " to " + end + ": " + operation.process() + " "
                + operation.kind().name().toLowerCase(Locale.ROOT)
                + (operation.value() == null ? "" : " " + operation.value())
                + (operation.token() == null ? "" : ", token " + operation.token());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.6f ms", nanos / 1e6);
    }
}
