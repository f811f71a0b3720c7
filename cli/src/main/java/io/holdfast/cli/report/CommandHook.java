package io.holdfast.cli.report;

import io.holdfast.cli.option.Credentials;
import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.time.ThreadWait;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A hook that runs a command line. What the command prints goes to stderr. */
final class CommandHook implements Hook.Action {

    private static final long LIMIT_SECONDS = 30;

    /** The time between TERM and KILL for a hook that has to end. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /**
     * Runs the command line with the caller's values of the variables that the guard has changed for Java. The stdout
     * of this process is a pipe to the launcher.
     */
    private static final String START = """
            set -- /bin/sh -c "$1"
            for holdfast_name in PATH LC_ALL JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS; do
              unset "$holdfast_name"
              eval "[ -z \\"\\${HOLDFAST_CALLER_$holdfast_name+set}\\" ] ||
                export \\"$holdfast_name=\\$HOLDFAST_CALLER_$holdfast_name\\""
              unset "HOLDFAST_CALLER_$holdfast_name"
            done
            exec "$@" >&2
            """;

    private static final List<String> SHELL = List.of("/bin/sh", "-c", START, "sh");

    private static final List<String> SECRETS = List.of(
            NodesOptions.VARIABLE,
            NodesOptions.PREVIOUS_VARIABLE,
            Credentials.PASSWORD_VARIABLE,
            Credentials.SENTINEL_PASSWORD_VARIABLE,
            DetachedLeaseOptions.VARIABLE);

    private final String line;
    private final boolean cleanEnvironment;

    CommandHook(String line, boolean cleanEnvironment) {
        this.line = line;
        this.cleanEnvironment = cleanEnvironment;
    }

    @Override
    public @Nullable String execute(CommandReport report) throws IOException, InterruptedException {
        List<String> command = Stream.concat(SHELL.stream(), Stream.of(line)).toList();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(variables(report));
        if (cleanEnvironment) {
            builder.environment().keySet().removeAll(SECRETS);
        }
        Process process = builder.start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return "it ran for longer than " + LIMIT_SECONDS + " s and was ended";
            }
            return process.exitValue() == 0 ? null : "it ended with " + process.exitValue();
        } finally {
            end(process);
        }
    }

    /** Ends a hook that runs too long, or whose wait a signal has interrupted: by TERM, then by KILL. */
    private static void end(Process hook) {
        if (hook.isAlive()) {
            List<ProcessHandle> processes = Stream.concat(hook.descendants(), Stream.of(hook.toHandle()))
                    .toList();
            processes.forEach(ProcessHandle::destroy);
            CompletableFuture<?> ended = CompletableFuture.allOf(
                    processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
            if (!ThreadWait.uninterruptibly(ThreadWait::park, ended, GRACE)) {
                processes.forEach(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static Map<String, String> variables(CommandReport report) {
        return Map.of(
                "HOLDFAST_RESOURCE", report.lock(),
                "HOLDFAST_FENCE", report.fence(),
                "HOLDFAST_RESULT", report.outcome().word(),
                "HOLDFAST_EXIT_CODE", Integer.toString(report.exitCode()),
                "HOLDFAST_DURATION_MS", Long.toString(report.duration().toMillis()),
                "HOLDFAST_WAIT_MS", Long.toString(report.waited().toMillis()));
    }
}
