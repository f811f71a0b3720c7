package io.holdfast.cli.report;

import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The places to which a run is reported. Without one of the options, there are none, which costs no time. */
public final class Reports {

    private static final String HOOK = "HOOK";
    private static final CommandOption ON_START = CommandOption.of(
            "--on-start",
            HOOK,
            "When the command begins, fetch HOOK if it is an http or https address, else run it by /bin/sh, beside the"
                    + " command and while the lock is held.");
    private static final CommandOption ON_SUCCESS = CommandOption.of(
            "--on-success", HOOK, "Likewise, when the command has ended with 0 and the lock has been released.");
    private static final CommandOption ON_FAILURE = CommandOption.of(
            "--on-failure",
            HOOK,
            "Likewise, when the command has failed or cannot be run, the lock was lost, too few servers answer, or"
                    + " Holdfast fails; not if another client holds the lock.");
    private static final CommandOption METRICS = CommandOption.of(
            "--metrics-file",
            "FILE",
            "Write the last run and the last attempt to this file, whose name ends in .prom, for node_exporter. Each"
                    + " lock needs a file of its own.");
    private static final CommandOption SYSLOG = CommandOption.of(
            "--syslog",
            "Send the messages of Holdfast, and the start and the end of the command, or why it did not run, to the"
                    + " system log as well, by logger(1).");

    public static final List<CommandOption> OPTIONS = List.of(SYSLOG, ON_START, ON_SUCCESS, ON_FAILURE, METRICS);

    private final List<ReportListener> listeners;

    private final Terminal terminal;

    private Reports(List<ReportListener> listeners, Terminal terminal) {
        this.listeners = listeners;
        this.terminal = terminal;
    }

    /**
     * Returns the places that the options name. From now on, the system log receives the messages of the terminal.
     *
     * @param lock the names of the locks in one line
     * @param cleanEnvironment whether hooks get the variables without secrets only
     */
    public static Reports of(Arguments arguments, String lock, boolean cleanEnvironment, Terminal terminal) {
        List<ReportListener> listeners = new ArrayList<>(0);
        if (arguments.has(METRICS)) {
            Path file = arguments.value(METRICS, Path::of).orElseThrow();
            listeners.add(MetricsFile.of(file, lock, terminal));
        }
        if (arguments.has(ON_START) || arguments.has(ON_SUCCESS) || arguments.has(ON_FAILURE)) {
            listeners.add(new Hooks(
                    Hook.of(arguments, ON_START, cleanEnvironment, terminal),
                    Hook.of(arguments, ON_SUCCESS, cleanEnvironment, terminal),
                    Hook.of(arguments, ON_FAILURE, cleanEnvironment, terminal)));
        }
        if (arguments.has(SYSLOG)) {
            // The last one, so that it contains the failures of the others.
            SystemLog log = SystemLog.open(lock, terminal);
            terminal.copyTo(log::write);
            listeners.add(log);
        }
        return new Reports(listeners, terminal);
    }

    /** Reports that the command begins. A report that fails does not affect the command. */
    public void started(CommandReport start) {
        report("the start of the command", listener -> listener.started(start));
    }

    /** Reports that the command did not run, for a reason that is no failure of this run. */
    public void notRun(CommandReport attempt) {
        report("the attempt", listener -> listener.notRun(attempt));
    }

    /** Reports the end of the run; blocks until all places have received it, or have failed to. */
    public void ended(CommandReport end) {
        report("the end of the run", listener -> listener.ended(end));
    }

    private void report(String what, Consumer<ReportListener> call) {
        for (ReportListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException | Error e) {
                terminal.print("warning: " + what + " was not reported: " + e.getMessage());
            }
        }
    }
}
