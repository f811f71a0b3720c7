package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.WholeNumber;
import io.holdfast.cli.output.HistoryText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.LockRuns;
import java.io.PrintStream;
import java.util.List;

/** The command {@code log}: prints the last runs under a lock. */
public final class LogCommand extends AdminCommand {

    private static final CommandOption COUNT = CommandOption.of(
            "-n, --count", "N", "Print the last N runs. Default and most: " + JobHistory.MOST_RUNS + ".");
    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object per run and line: resource, fence, host, user, pid, program, start, end (null: not"
                    + " reported), waitMillis, exitCode, lost, running, kind, result (succeeded, failed,"
                    + " lost or ended), error (the class of an exception).");

    private static final int NONE = 1;

    public LogCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("log", "Prints the last runs under a lock, of commands and of Java programs.")
                .withName("The lock; that of a slot is NAME/1 to NAME/N.")
                .with(COUNT, JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        The servers keep the last 20 runs, for 30 days after the last one or
                        longer, without those with -s. Times are in the local time zone, by the
                        clock of the machine that ran the command. A run whose process was killed did
                        not report its end.

                        Exit code: 0 runs were printed; 1 no run is known; 69 too few servers answer,
                        so newer runs may be missing.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) {
        int count = arguments.value(COUNT, LogCommand::count).orElse(JobHistory.MOST_RUNS);
        LockRuns read = LockRuns.of(admin, arguments.name());
        boolean isCertain = read.record().isLatest();
        JobHistory history = read.history()
                .orElseThrow(() -> new Failure(ExitCode.INTERNAL, JobHistory.unreadable(arguments.name())));
        List<JobRun> runs = history.runs().stream().limit(count).toList();
        if (!isCertain && runs.isEmpty()) {
            throw tooFewServers("unknown when '" + arguments.name() + "' ran last");
        }
        print(runs, read.lock(), arguments.has(JSON));
        if (!isCertain) {
            throw tooFewServers("newer runs of '" + arguments.name() + "' may be missing");
        }
        return runs.isEmpty() ? NONE : ExitCode.OK;
    }

    private static Failure tooFewServers(String effect) {
        return new Failure(ExitCode.NO_QUORUM, effect + ": too few servers answer; `holdfast doctor` shows why");
    }

    private void print(List<JobRun> runs, LockStatus status, boolean isJson) {
        if (isJson) {
            runs.forEach(run -> out().println(HistoryText.json(run, status)));
        } else if (runs.isEmpty()) {
            terminal().print("no run of '" + status.resource() + "' is known");
        } else {
            out().print(HistoryText.lines(runs, status));
        }
    }

    private static int count(String text) {
        return WholeNumber.parse(text, 1, WholeNumber.GREATEST, "is not a number of runs; write one such as 5");
    }
}
