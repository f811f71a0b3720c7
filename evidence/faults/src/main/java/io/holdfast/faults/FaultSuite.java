package io.holdfast.faults;

import java.io.PrintStream;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The fault suite as a program: prints a table, and exits 1 if a lock broke a promise. */
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        description =
                "Runs client processes on real servers that fail, and reports what an independent witness observed.")
public final class FaultSuite implements Callable<Integer> {

    @Option(names = "--nodes", split = ",", defaultValue = "1,3,5", description = "Numbers of servers; default 1,3,5.")
    private List<Integer> nodes = List.of();

    @Option(names = "--seconds", defaultValue = "60", description = "Duration of the faults of each run; default 60.")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the faults; default 1.")
    private long seed;

    @Option(names = "--lease", defaultValue = "2", description = "The lease in seconds; default 2.")
    private int leaseSeconds;

    @Option(names = "--kinds", split = ",", description = "Kinds of faults: ${COMPLETION-CANDIDATES}; default all.")
    private Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);

    @Option(names = "--stay", defaultValue = "60", description = "Longest stay of most holders in ms; default 60.")
    private int stayMillis;

    @Option(names = "--threads", defaultValue = "2", description = "Contending threads of each client; default 2.")
    private int threads;

    @Option(names = "--locks", defaultValue = "2", description = "Locks on which they contend; default 2.")
    private int locks;

    @Option(
            names = "--other-nodes",
            defaultValue = "0",
            description = "Servers of another set, to which the clients change, and back, all the time; default none.")
    private int otherNodes;

    @Option(names = "--foreign", split = ",", description = "Command of a client in another language; default none.")
    private List<String> foreign = List.of();

    private final PrintStream out = System.out;

    private FaultSuite() {}

    /** See {@code --help}. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FaultSuite()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (otherNodes > 0 && (!foreign.isEmpty() || !kinds.contains(FaultKind.CHANGE_SET))) {
            throw new IllegalArgumentException(
                    "--other-nodes needs the kind CHANGE_SET, and no --foreign, which has one set of servers");
        }
        boolean good = true;
        out.println(Report.header());
        for (int count : nodes) {
            Report report = FaultRun.of(new FaultPlan(
                    seed,
                    count,
                    otherNodes,
                    Duration.ofSeconds(seconds),
                    Duration.ofSeconds(leaseSeconds),
                    kinds,
                    new FaultPlan.Load(threads, locks, Duration.ofMillis(stayMillis)),
                    foreign));
            out.println(report.line());
            System.err.println(report.faultLine());
            good &= report.isGood();
        }
        return good ? 0 : 1;
    }
}
