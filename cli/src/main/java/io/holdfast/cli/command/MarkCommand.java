package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.lock.LockChoice;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.WaitOptions;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.output.TimeText;
import io.holdfast.cli.output.WaitHint;
import io.holdfast.cli.process.HeldLocks;
import io.holdfast.cli.process.Signals;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.StatedSuccess;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The command {@code mark}: states that a job has succeeded in its period, or that it has to run again. */
public final class MarkCommand implements Command {

    private static final CommandOption SUCCEEDED = CommandOption.of(
            "--succeeded", "The job has succeeded now, for example by hand: it is skipped for the rest of its period.");
    private static final CommandOption FORGET = CommandOption.of(
            "--forget",
            "Forget its last success and how often it should run: the next run with a period runs the job, and"
                    + " `jobs` does not call it overdue.");

    private static final String PROGRAM = "holdfast mark";

    /** Longer than the attempts to read and to write the record. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Terminal terminal;
    private final PrintStream out;

    public MarkCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("mark", "States whether a job has succeeded in this period.")
                .withName("The lock of the job.")
                .with(SUCCEEDED, FORGET)
                .with(WaitOptions.OPTIONS)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Give one of --succeeded and --forget. The lock is held for a moment, so `mark`
                        waits for a run of the job. `log` shows a success that was stated as a run of
                        `holdfast mark`.

                        Exit code: 0; 64 wrong usage; 69 too few servers answer, or have recorded it; 75
                        the lock was not acquired; 125 Holdfast failed.
                        """);
    }

    @Override
    public int run(Arguments arguments) {
        terminal.showLog(false);
        if (arguments.has(SUCCEEDED) == arguments.has(FORGET)) {
            throw new Failure(ExitCode.USAGE, "give one of --succeeded and --forget");
        }
        HeldLocks.requireNotHeld(LockChoice.single(arguments.name()), NodesOptions.fingerprint(arguments));
        WaitOptions waiting = WaitOptions.of(arguments);
        Duration longest = NodesOptions.maxLease(arguments);
        LockOptions options = waiting.apply(LockOptions.builder()
                .lease(longest.compareTo(LEASE) < 0 ? longest : LEASE)
                .build());
        Signals signals = Signals.handle();
        try (Holdfast holdfast = NodesOptions.connect(arguments, terminal)) {
            signals.interruptWaits();
            return mark(holdfast, arguments, options, waiting);
        } catch (InterruptedException e) {
            return signals.exitCode();
        }
    }

    private int mark(Holdfast holdfast, Arguments arguments, LockOptions options, WaitOptions waiting)
            throws InterruptedException {
        WaitHint hint = WaitHint.start(holdfast, arguments.name(), terminal);
        try (Lease lease = waiting.acquire(
                options, with -> holdfast.lock(arguments.name(), with).acquire())) {
            hint.end();
            lease.annotate(HolderNote.of(PROGRAM, ProcessHandle.current().pid()));
            return mark(new StatedSuccess(lease, InstantSource.system()), arguments);
        } catch (LockTimeoutException e) {
            hint.end();
            return waiting.reportNotAcquired(e, holdfast, terminal);
        } finally {
            hint.end();
        }
    }

    private int mark(StatedSuccess success, Arguments arguments) {
        Optional<Instant> recorded = Failure.instead(ExitCode.INTERNAL, "", success::recorded);
        Instant now = Instant.now();
        JobRun.Runner runner = JobRun.Runner.ofThisProcess(JobRun.Runner.COMMAND, PROGRAM);
        if (!(arguments.has(FORGET) ? success.forget() : success.mark(runner))) {
            throw new Failure(
                    ExitCode.NO_QUORUM,
                    "too few servers have recorded it, so it may have no effect; repeat it when more of them answer."
                            + " `holdfast doctor` shows why");
        }
        out.println("'" + arguments.name() + "': " + effect(arguments.has(FORGET), recorded, now));
        return ExitCode.OK;
    }

    private static String effect(boolean isForgotten, Optional<Instant> recorded, Instant now) {
        if (!isForgotten) {
            return "marked as succeeded at " + TimeText.of(now);
        }
        return recorded.map(time -> "forgot the success of " + TimeText.of(time))
                .orElse("no success was on record");
    }
}
