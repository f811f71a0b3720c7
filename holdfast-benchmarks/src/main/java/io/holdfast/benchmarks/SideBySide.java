package io.holdfast.benchmarks;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the scenarios that are named, or all of them, and prints a table of each. */
public final class SideBySide {

    private static final List<String> ALL =
            List.of("uncontended", "distinct", "contended", "handover", "frozen", "distances", "leases", "fence");

    private SideBySide() {}

    /** See {@link #ALL} for the names. */
    public static void main(String[] names) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        if (names.length > 0 && names[0].equals("worker")) {
            work(names);
        }
        for (String name : names.length == 0 ? ALL : List.of(names)) {
            switch (name) {
                case "uncontended" -> Uncontended.run(10);
                case "distinct" -> Throughput.distinct(5, 3);
                case "contended" -> Throughput.contended(5, 3);
                case "handover" -> HandOver.run(10);
                case "frozen" -> OneFrozen.run(10);
                case "distances" -> Distances.run(5);
                case "leases" -> ManyLeases.run(5);
                case "fence" -> FenceCost.run();
                default -> {
                    System.err.println("There is no scenario " + name + "; there are " + String.join(", ", ALL));
                    System.exit(64);
                }
            }
            System.out.println();
        }
        System.exit(0);
    }

    /** One of the processes that {@link HandOver} starts. */
    private static void work(String[] arguments) throws Exception {
        List<String> uris = List.of(arguments).subList(6, arguments.length);
        try (Contestant contestant = Contestants.connect(arguments[1], uris)) {
            Worker.run(
                    contestant,
                    Integer.parseInt(arguments[2]),
                    Long.parseLong(arguments[3]),
                    Long.parseLong(arguments[4]),
                    Long.parseLong(arguments[5]));
        }
        System.exit(0);
    }
}
