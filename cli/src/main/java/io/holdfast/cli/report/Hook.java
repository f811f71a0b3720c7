package io.holdfast.cli.report;

import io.holdfast.cli.output.FileFailure;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A hook: an address to fetch, or a command to run. Its failure is printed, and has no other effect. */
final class Hook {

    /** The work of a hook. */
    interface Action {

        /** Executes the action within a limited time. Returns why it failed, or null. */
        @Nullable
        String execute(CommandReport report) throws IOException, InterruptedException;
    }

    private final String option;
    private final Action action;
    private final Terminal terminal;

    private Hook(String option, Action action, Terminal terminal) {
        this.option = option;
        this.action = action;
        this.terminal = terminal;
    }

    /** Returns the hook that the option names, or null if the option is absent. */
    static @Nullable Hook of(Arguments arguments, CommandOption option, boolean cleanEnvironment, Terminal terminal) {
        return arguments
                .value(option, text -> action(text, cleanEnvironment))
                .map(action -> new Hook(option.name(), action, terminal))
                .orElse(null);
    }

    private static Action action(String text, boolean cleanEnvironment) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("neither an address nor a command");
        }
        return UrlHook.isUrl(text) ? new UrlHook(text) : new CommandHook(text, cleanEnvironment);
    }

    /** Executes the hook. */
    void run(CommandReport report) {
        String failure;
        try {
            failure = action.execute(report);
        } catch (IOException e) {
            failure = FileFailure.reason(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = "it was interrupted by a signal";
        } catch (RuntimeException | OutOfMemoryError e) {
            // A thread or a process may be impossible at a limit of processes.
            failure = e.toString();
        }
        if (failure != null) {
            terminal.print("warning: the hook " + option + " of '" + report.locks() + "' failed: " + failure);
        }
    }
}
