package io.holdfast.benchmarks;

import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the named scenarios, or all of them, and prints a table for each. */
public final class SideBySide {

    private static final List<String> ALL = List.of(
            "uncontended",
            "distinct",
            "contended",
            "handover",
            "frozen",
            "distances",
            "leases",
            "waiters",
            "fence",
            "parts",
            "start");

    private SideBySide() {}

    /**
     * Runs the program. Arguments: scenarios, see {@link #ALL}; before them, {@code --chart FILE} for a picture of the
     * comparison.
     */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        List<String> names = List.of(arguments);
        if (!names.isEmpty() && names.get(0).equals("worker")) {
            work(names);
        }
        Chart chart = new Chart();
        boolean charted = names.size() > 1 && names.get(0).equals("--chart");
        List<String> scenarios = charted ? names.subList(2, names.size()) : names;
        for (String name : scenarios.isEmpty() ? ALL : scenarios) {
            run(name, chart);
            System.out.println();
        }
        if (charted) {
            chart.write(Path.of(names.get(1)));
        }
        System.exit(0);
    }

    private static void run(String scenario, Chart chart) throws Exception {
        switch (scenario) {
            case "uncontended" -> Uncontended.run(10, chart);
            case "distinct" -> Throughput.distinct(5, 3, chart);
            case "contended" -> Throughput.contended(5, 3, chart);
            case "handover" -> HandOver.run(10, chart);
            case "frozen" -> OneFrozen.run(10);
            case "distances" -> Distances.run(5);
            case "leases" -> ManyLeases.run(5);
            case "waiters" -> ManyWaiters.run();
            case "parts" -> Parts.run();
            case "fence" -> FenceCost.run();
            case "start" -> Start.run(40);
            default -> {
                System.err.println("There is no scenario " + scenario + "; there are " + String.join(", ", ALL));
                System.exit(64);
            }
        }
    }

    /** Runs one of the processes that {@link HandOver} starts. */
    private static void work(List<String> arguments) throws Exception {
        List<String> uris = arguments.subList(6, arguments.size());
        try (Contestant contestant = Contestants.connect(arguments.get(1), uris)) {
            Worker.run(
                    contestant,
                    Integer.parseInt(arguments.get(2)),
                    Long.parseLong(arguments.get(3)),
                    Long.parseLong(arguments.get(4)),
                    Long.parseLong(arguments.get(5)));
        }
        System.exit(0);
    }
}
