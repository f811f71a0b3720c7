package io.holdfast.simulation;

import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The summary of many runs. Not thread-safe. */
final class Score {

    static final String HEADER = """
            | N | seeds | leases granted | faults | runs with a violation | of which properties | time |
            |---|---|---|---|---|---|---|""";

    private static final int EXAMPLES = 5;

    private final int nodes;
    private final long from;
    private long runs;
    private long granted;
    private long struck;
    private long changes;
    private long broken;
    private Duration elapsed = Duration.ZERO;
    private final Map<Property, Long> properties = new EnumMap<>(Property.class);
    private final List<String> examples = new ArrayList<>();

    Score(int nodes, long from) {
        this.nodes = nodes;
        this.from = from;
    }

    void add(SimulationResult result) {
        runs++;
        granted += result.granted();
        struck += result.struck();
        changes += result.changes();
        if (!result.violations().isEmpty()) {
            broken++;
            result.violations().stream()
                    .map(Violation::property)
                    .distinct()
                    .forEach(property -> properties.merge(property, 1L, Long::sum));
            if (examples.size() < EXAMPLES) {
                examples.add("seed " + result.plan().seed() + ": "
                        + result.violations().get(0));
            }
        }
    }

    void took(Duration duration) {
        elapsed = duration;
    }

    long runs() {
        return runs;
    }

    long granted() {
        return granted;
    }

    long changes() {
        return changes;
    }

    boolean isGood() {
        return broken == 0;
    }

    /** Returns the first violations, each with the seed that reproduces it. */
    List<String> examples() {
        return examples;
    }

    /** Returns the present state in a few words. */
    String summary() {
        return "N = " + nodes + ": " + runs + " seeds, " + granted + " leases, " + broken + " with a violation";
    }

    String line() {
        String which = properties.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        return "| " + nodes + " | " + from + " to " + (from + runs - 1) + " | " + granted + " | " + struck + " | "
                + broken + " | " + which + " | " + elapsed.toSeconds() + " s |";
    }
}
