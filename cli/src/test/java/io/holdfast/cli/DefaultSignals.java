package io.holdfast.cli;

import io.holdfast.servers.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts a process with the default signal handlers, even if this process ignores some signals. A process that
 * {@code nohup} or a script's {@code &} started ignores HUP or INT. Its children inherit that, and neither a shell nor
 * Java can undo it.
 */
final class DefaultSignals {

    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    /** The possible prefixes of a command command; the first one that works is used. The empty one usually works. */
    private static final List<List<String>> PREFIXES = List.of(
            List.of(),
            List.of("env", "--default-signal"),
            List.of("perl", "-e", "$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM); exec @ARGV or die"),
            List.of("python3", "-c", """
                    import os, signal, sys
                    for s in (1, 2, 15): signal.signal(s, signal.SIG_DFL)
                    os.execvp(sys.argv[1], sys.argv[1:])
                    """));

    private static final @Nullable List<String> PREFIX =
            PREFIXES.stream().filter(DefaultSignals::works).findFirst().orElse(null);

    private DefaultSignals() {}

    /** Returns whether a process that was started with {@link #prefix} has the default signal handlers. */
    static boolean areAvailable() {
        return PREFIX != null;
    }

    /** Returns the words to put before a command, usually none. */
    static List<String> prefix() {
        return PREFIX == null ? List.of() : PREFIX;
    }

    private static boolean works(List<String> prefix) {
        return NUMBERS.entrySet().stream().allMatch(signal -> {
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of("sh", "-c", "kill -s " + signal.getKey() + " $$"));
            return exitCode(command) == 128 + signal.getValue();
        });
    }

    private static int exitCode(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(Eventually.BOUND.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
        } catch (IOException notInstalled) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
