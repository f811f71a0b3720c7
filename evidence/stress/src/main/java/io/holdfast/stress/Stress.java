package io.holdfast.stress;

import io.holdfast.stress.client.Nodes;
import io.holdfast.stress.operation.Family;
import java.io.PrintStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The stress program: prints a table, and exits with 1 if a promise was broken. */
@Command(
        name = "stress",
        mixinStandardHelpOptions = true,
        description =
                "Uses locks in many threads in every way at once, and reports what an independent witness observed.")
public final class Stress implements Callable<Integer> {

    /**
     * The library's logger, switched off because candidates throw on purpose. The reference keeps the level from being
     * lost.
     */
    private static final Logger LIBRARY = Logger.getLogger("io.holdfast");

    @Option(names = "--nodes", defaultValue = "memory", description = "${COMPLETION-CANDIDATES}; default memory.")
    private Nodes.Type nodes = Nodes.Type.MEMORY;

    @Option(names = "--seconds", defaultValue = "60", description = "Duration; default 60.")
    private int seconds;

    @Option(names = "--epoch", defaultValue = "10", description = "Seconds between checks of leftovers; default 10.")
    private int epochSeconds;

    @Option(names = "--threads", defaultValue = "12", description = "Number of threads; default 12.")
    private int threads;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the operations; default 1.")
    private long seed;

    @Option(
            names = "--families",
            split = ",",
            description = "Families of operations: ${COMPLETION-CANDIDATES}; default all.")
    private Set<Family> families = EnumSet.allOf(Family.class);

    @Option(names = "--keep-clients", description = "Close no client until the end.")
    private boolean keepClients;

    @Option(names = "--until-violation", description = "End with the first violation.")
    private boolean untilViolation;

    private final PrintStream out = System.out;

    private Stress() {}

    /** Runs the program; see {@code --help}. */
    public static void main(String[] arguments) {
        LIBRARY.setLevel(Level.OFF);
        System.exit(new CommandLine(new Stress())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        StressPlan plan = new StressPlan(
                nodes,
                Duration.ofSeconds(seconds),
                Duration.ofSeconds(epochSeconds),
                threads,
                seed,
                EnumSet.copyOf(families),
                !keepClients,
                untilViolation);
        Report report = StressRun.of(plan, System.err::println);
        out.println(Report.header());
        out.println(report.line());
        out.print(report.violations());
        return report.isGood() ? 0 : 1;
    }
}
