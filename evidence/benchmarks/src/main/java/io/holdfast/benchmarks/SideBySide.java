package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.figures.ResultCharts;
import io.holdfast.benchmarks.handover.HandOver;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the named scenarios, or all of them, and prints a table for each. */
public final class SideBySide {

    private static final String CHARTS = "charts";

    private static final List<String> ALL = List.of(
            "uncontended",
            "uncontended-busy",
            "distinct",
            "contended",
            "handover",
            "handover-asleep",
            "handover-distant",
            "crowd",
            "idle-waits",
            "waiters",
            "heap",
            "held",
            "connections",
            "start");

    private SideBySide() {}

    /**
     * Runs the program. Arguments: scenarios, see {@link #ALL}; or {@code charts RESULTS}, which draws what scenarios
     * have printed.
     */
    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(Level.SEVERE);
        int code = 1;
        try {
            execute(List.of(arguments));
            code = 0;
        } catch (Exception | AssertionError e) {
            System.getLogger(SideBySide.class.getName()).log(System.Logger.Level.ERROR, "The benchmark has failed", e);
        }
        // Clients of rivals have threads that would run on.
        System.exit(code);
    }

    private static void execute(List<String> arguments) throws Exception {
        if (!arguments.isEmpty() && arguments.get(0).equals(CHARTS)) {
            ResultCharts.draw(Path.of(arguments.get(1)));
            return;
        }
        Library.absences().forEach(System.out::println);
        for (String scenario : arguments.isEmpty() ? ALL : arguments) {
            System.out.println(ResultCharts.heading(scenario));
            System.out.println();
            run(scenario);
            System.out.println();
        }
    }

    private static void run(String scenario) throws Exception {
        switch (scenario) {
            case "uncontended" -> Uncontended.quiet();
            case "uncontended-busy" -> Uncontended.busy();
            case "distinct" -> Throughput.distinct();
            case "contended" -> Throughput.contended();
            case "handover" -> HandOver.busy();
            case "handover-asleep" -> HandOver.asleep();
            case "handover-distant" -> HandOver.distant();
            case "crowd" -> HandOver.crowd();
            case "idle-waits" -> IdleWaits.run();
            case "waiters" -> ManyWaiters.run();
            case "heap" -> ManyLeases.heap();
            case "held" -> Scale.held();
            case "connections" -> Scale.connections();
            case "start" -> Start.run(40);
            default ->
                throw new IllegalArgumentException(
                        "There is no scenario " + scenario + "; there are " + String.join(", ", ALL));
        }
    }
}
