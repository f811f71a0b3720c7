package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.WaitCycle;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.ChangeText;
import io.holdfast.cli.output.DiagnosisText;
import io.holdfast.cli.output.StatusText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.Machine;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.DurationSyntax;
import io.holdfast.time.ThreadWait;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command {@code doctor}: examines nodes and waits, and reports problems with their remedies. */
public final class DoctorCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object: verdict (0, 1 or 2), voting, needed, and nodes, each with node, facts such as votes,"
                    + " roundTripMillis and quarantineMillis, and findings (severity, text, remedy); previous, with"
                    + " voting, needed and nodes, if --previous-nodes are given; machine, with"
                    + " facts and findings; and cycles of clients that wait for each other (null: not examined), each"
                    + " with its waits: name, pid, connectedSince, waitsFor, waitsSince.");
    private static final CommandOption WAIT = CommandOption.of(
            "-w, --wait",
            "DURATION",
            "Wait until the servers vote, at most this long, and count the time towards their quarantines. Exits 0 if"
                    + " they vote, else 69.");
    private static final CommandOption UNTIL =
            CommandOption.of("--until", "all|majority", "With --wait: how many servers have to vote. Default: all.");

    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final String MACHINE = "this machine";
    private static final String WAITING = "waiting clients";
    private static final String AND_PREVIOUS = ", and of the previous set ";

    /** Long enough for servers with some million keys, or one that hangs. */
    private static final Duration SEARCH_LIMIT = Duration.ofSeconds(8);

    private static final int WARNINGS = 1;
    private static final int ERRORS = 2;

    public DoctorCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("doctor", "Examines the servers and this machine, and prints a remedy for each problem.")
                .with(WAIT, UNTIL, JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Changes no lock and takes a second or two, or up to eight if a server has very
                        many keys or hangs. Reports the checks that the user of the servers has no
                        right to make, what this machine lacks for `run`, and clients that wait for each
                        other. For these, it reads all locks, as `list` does.

                        Exit code: 0 no problem; 1 there are warnings; 2 there are errors, or no
                        majority votes now. With --wait: 0 enough servers vote; 69 they do not.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) throws InterruptedException {
        Optional<Duration> limit = arguments.value(WAIT, DurationSyntax::parse);
        if (limit.isEmpty() && arguments.has(UNTIL)) {
            throw new Failure(ExitCode.USAGE, "--until has an effect with --wait only; add --wait 2m");
        }
        boolean needsAll = arguments.value(UNTIL, "all"::equals).orElse(true);
        boolean isMet = limit.isPresent() && await(admin, limit.get(), needsAll);
        CompletableFuture<Waits> waits = CompletableFuture.supplyAsync(() -> Waits.of(admin))
                .completeOnTimeout(Waits.UNKNOWN, SEARCH_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        Report report = new Report(
                new Servers(admin.examine()),
                admin.previous().map(previous -> new Servers(previous.examine())),
                ChangeText.added(Machine.inspect().diagnosis(), admin),
                ThreadWait.join(ThreadWait::park, waits));
        if (arguments.has(JSON)) {
            out().println(report.json());
        } else {
            out().print(report.servers().text(""));
            report.previous().ifPresent(servers -> out().print(servers.text(" (previous)")));
            out().print(DiagnosisText.of(MACHINE, report.machine()));
            if (!report.waits().findings().isEmpty()) {
                out().print(DiagnosisText.of(
                        WAITING, new Diagnosis(Map.of(), report.waits().findings())));
            }
            out().println(report.summary());
        }
        return limit.isEmpty() ? report.verdict() : isMet ? ExitCode.OK : ExitCode.NO_QUORUM;
    }

    /** Waits until enough servers vote. Returns whether they do. */
    private boolean await(LockAdmin admin, Duration limit, boolean needsAll) throws InterruptedException {
        long begin = System.nanoTime();
        String last = "";
        while (true) {
            List<List<NodeStatus>> sets = Stream.concat(Stream.of(admin), admin.previous().stream())
                    .map(LockAdmin::standings)
                    .toList();
            if (sets.stream().allMatch(set -> voting(set) >= (needsAll ? set.size() : Majority.of(set.size())))) {
                return true;
            } else if (System.nanoTime() - begin >= limit.toNanos()) {
                return false;
            }
            String state = sets.stream()
                    .map(set -> Servers.voting(voting(set), set.size()))
                    .collect(Collectors.joining(AND_PREVIOUS));
            if (!state.equals(last)) {
                terminal().hint("waiting: " + state);
                last = state;
            }
            Thread.sleep(INTERVAL.toMillis());
        }
    }

    private static long voting(List<NodeStatus> nodes) {
        return nodes.stream().filter(NodeStatus::votes).count();
    }

    private static Diagnosis diagnosis(NodeAnswer<Diagnosis> node) {
        Diagnosis diagnosis = node.value();
        return diagnosis == null ? new Diagnosis(Map.of(), List.of(Finding.error(node.error(), ""))) : diagnosis;
    }

    /**
     * Clients that wait for each other.
     *
     * @param unread why this was not examined; empty if it was
     */
    private record Waits(List<LockStatus> locks, List<WaitCycle> cycles, String unread) {

        private static final Waits UNKNOWN = new Waits(
                List.of(), List.of(), "the servers' locks were not read within " + SEARCH_LIMIT.toSeconds() + " s");

        static Waits of(LockAdmin admin) {
            try {
                List<LockStatus> locks = admin.list();
                return new Waits(locks, admin.waitCycles(locks), "");
            } catch (IllegalStateException noMajority) {
                return new Waits(List.of(), List.of(), String.valueOf(noMajority.getMessage()));
            }
        }

        List<Finding> findings() {
            if (!unread.isEmpty()) {
                return List.of(Finding.note("not examined whether clients wait for each other: " + unread, ""));
            }
            return cycles.stream()
                    .map(cycle -> Finding.warning(
                            "these clients wait for each other: " + StatusText.cycle(cycle, locks),
                            StatusText.CYCLE_REMEDY))
                    .toList();
        }

        Object json() {
            return unread.isEmpty()
                    ? cycles.stream()
                            .map(cycle -> StatusText.fields(cycle, locks))
                            .toList()
                    : Json.NULL;
        }
    }

    /** The diagnoses of one set of servers. */
    private record Servers(List<NodeAnswer<Diagnosis>> nodes) {

        static String voting(long voting, int all) {
            return voting + " of " + all + (all == 1 ? " server" : " servers") + (voting == 1 ? " votes" : " vote");
        }

        private Stream<Diagnosis> diagnoses() {
            return nodes.stream().map(DoctorCommand::diagnosis);
        }

        long voting() {
            return diagnoses().filter(Diagnosis::votes).count();
        }

        int needed() {
            return Majority.of(nodes.size());
        }

        boolean isEven() {
            return nodes.size() % 2 == 0;
        }

        boolean has(Finding.Severity severity) {
            return diagnoses().anyMatch(node -> node.has(severity));
        }

        String text(String which) {
            return nodes.stream()
                    .map(node -> DiagnosisText.of(node.node() + which, diagnosis(node)))
                    .collect(Collectors.joining());
        }

        boolean isMajority() {
            return voting() >= needed();
        }

        boolean isFitMajority() {
            return diagnoses()
                            .filter(node -> node.votes() && !node.has(Finding.Severity.ERROR))
                            .count()
                    >= needed();
        }

        String votes() {
            return voting(voting(), nodes.size());
        }

        Map<String, Object> fields() {
            return Json.fields(
                    "voting", voting(),
                    "needed", needed(),
                    "nodes",
                            nodes.stream()
                                    .map(node -> DiagnosisText.fields(node.node(), diagnosis(node)))
                                    .toList());
        }
    }

    /** The diagnoses of all servers and of this machine, and the clients that wait for each other. */
    private record Report(Servers servers, Optional<Servers> previous, Diagnosis machine, Waits waits) {

        private Stream<Servers> sets() {
            return Stream.concat(Stream.of(servers), previous.stream());
        }

        int verdict() {
            if (!sets().allMatch(Servers::isMajority) || has(Finding.Severity.ERROR)) {
                return ERRORS;
            }
            return has(Finding.Severity.WARNING) || !waits.cycles().isEmpty() || servers.isEven()
                    ? WARNINGS
                    : ExitCode.OK;
        }

        private boolean has(Finding.Severity severity) {
            return machine.has(severity) || sets().anyMatch(set -> set.has(severity));
        }

        String summary() {
            String even = servers.isEven()
                    ? System.lineSeparator() + "an even number of servers survives no more failures than "
                            + (servers.nodes().size() - 1) + "; add or remove one"
                    : "";
            return sets().map(Servers::votes).collect(Collectors.joining(AND_PREVIOUS)) + "; " + prospect() + even;
        }

        private String prospect() {
            if (!sets().allMatch(Servers::isMajority)) {
                return "no lock can be taken: "
                        + sets().map(set -> String.valueOf(set.needed())).collect(Collectors.joining(" and "))
                        + (servers.needed() == 1 && previous.isEmpty() ? " is" : " are") + " needed";
            }
            return sets().allMatch(Servers::isFitMajority)
                    ? "locks can be taken"
                    : "a lock may not be granted: see the errors";
        }

        String json() {
            Map<String, Object> fields = Json.fields("verdict", verdict());
            fields.putAll(servers.fields());
            previous.ifPresent(set -> fields.put("previous", set.fields()));
            fields.put("machine", DiagnosisText.fields(MACHINE, machine));
            fields.put("cycles", waits.json());
            return Json.object(fields);
        }
    }
}
