package io.holdfast.simulation;

import io.holdfast.simulation.story.DisturbedRuns;
import io.holdfast.simulation.story.ProtocolStory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** The command: many runs on all cores and a table of their results, or one run in full. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs locks in virtual time among faults that are drawn from seeds, and checks the promises.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no violation", "1:a promise was broken", "2:wrong usage"})
public final class Simulate implements Callable<Integer> {

    private static final long DEFAULT_SEEDS = 1_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--nodes", split = ",", defaultValue = "1,3,5", description = "How many nodes; default 1,3,5.")
    private List<Integer> nodes = List.of();

    @Option(names = "--from", defaultValue = "0", description = "The first seed; default 0.")
    private long from;

    @Option(
            names = "--seeds",
            description = "How many seeds for each of --nodes, at most; default 1000, or no limit with --leases.")
    private @Nullable Long seeds;

    @Option(
            names = "--leases",
            description = "Run seeds until this many leases were granted: an equal part for each of --nodes.")
    private @Nullable Long leases;

    @Option(
            names = "--previous-nodes",
            defaultValue = "0",
            description = "In all runs, the clients are changed between so many other nodes and those of --nodes.")
    private int previous;

    @Option(names = "--threads", description = "How many runs at a time; default: the number of cores.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--until-violation",
            description = "Stop at the first seed that breaks a promise, and print how many it took.")
    private boolean untilViolation;

    @Option(names = "--seed", description = "Run only this seed, for the first of --nodes, and print all events.")
    private @Nullable Long seed;

    @Option(names = "--everything", description = "In all runs, not only in a third, clients call every public method.")
    private boolean everything;

    @Option(
            names = "--cycles",
            description = "Only grant this many locks among clients without a deadlock, and count the cycles of"
                    + " clients that seem to wait for each other, and that are named wrongly.")
    private @Nullable Long cycles;

    @Option(names = "--story", description = "Only write the run that the website shows step by step, as JSON.")
    private @Nullable Path story;

    @Option(
            names = "--disturbed-runs",
            description = "Only write the runs that a visitor of the website can disturb, as JSON.")
    private @Nullable Path disturbedRuns;

    /** Strongly referenced, since a logger without references is collected and forgets its level. */
    private static final Logger LOGGER = Logger.getLogger("io.holdfast");

    /** Runs the command. */
    public static void main(String[] arguments) {
        LOGGER.setLevel(Level.OFF);
        System.exit(new CommandLine(new Simulate()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        if (nodes.isEmpty() || nodes.stream().anyMatch(count -> count < 1)) {
            throw new ParameterException(spec.commandLine(), "--nodes takes numbers from 1, such as 1,3,5");
        }
        if (threads < 1
                || previous < 0
                || (seeds != null && seeds < 1)
                || (leases != null && leases < 1)
                || (cycles != null && cycles < 1)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--seeds, --leases, --cycles and --threads take a number from 1, --previous-nodes one from 0");
        }
        if (story != null || disturbedRuns != null) {
            writeJson(story, ProtocolStory::run);
            writeJson(disturbedRuns, DisturbedRuns::record);
            return 0;
        }
        if (cycles != null) {
            return new CycleBatch(cycles, threads).run(spec.commandLine().getOut()) ? 0 : 1;
        }
        return seed == null ? runMany() : runOne(seed);
    }

    private static void writeJson(@Nullable Path file, Supplier<?> content) throws IOException {
        if (file != null) {
            Files.writeString(file, new JsonMapper().writeValueAsString(content.get()));
        }
    }

    private int runMany() {
        PrintWriter out = spec.commandLine().getOut();
        Batch batch = batch();
        boolean good = true;
        long granted = 0;
        long changes = 0;
        out.println(Score.HEADER);
        for (int count : nodes) {
            Score score = batch.run(count, new Progress(batch)::show);
            out.println(score.line());
            score.examples().forEach(out::println);
            out.flush();
            good &= score.isGood();
            granted += score.granted();
            changes += score.changes();
        }
        out.println(granted + " leases granted in all");
        if (previous > 0) {
            out.println(changes + " times, a change reached its end");
        }
        out.flush();
        return good ? 0 : 1;
    }

    private Batch batch() {
        long mostSeeds = seeds != null ? seeds : leases != null ? Integer.MAX_VALUE : DEFAULT_SEEDS;
        long part = leases == null ? Long.MAX_VALUE : (leases + nodes.size() - 1) / nodes.size();
        return new Batch(from, mostSeeds, part, untilViolation, everything, previous, threads);
    }

    private int runOne(long which) {
        PrintWriter out = spec.commandLine().getOut();
        Timeline events = new Timeline();
        SimulationResult result = Simulation.of(batch().plan(which, nodes.get(0)), events);
        events.lines().forEach(out::println);
        out.println(result.plan());
        out.println(result.granted() + " leases granted, " + result.struck() + " faults");
        result.violations().forEach(out::println);
        out.flush();
        return result.violations().isEmpty() ? 0 : 1;
    }
}
