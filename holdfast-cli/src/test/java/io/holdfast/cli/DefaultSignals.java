package io.holdfast.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives a process the default signals, also where this one ignores some. A process that {@code nohup} or a script's
 * {@code &} started ignores HUP or INT, its children inherit that, and neither a shell nor Java can undo it.
 */
final class DefaultSignals {

    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    /** What to put before a command; the first that works is used, and none is needed as a rule. */
    private static final List<List<String>> WAYS = List.of(
            List.of(),
            List.of("env", "--default-signal"),
            List.of("perl", "-e", "$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM); exec @ARGV or die"),
            List.of("python3", "-c", """
                    import os, signal, sys
                    for s in (1, 2, 15): signal.signal(s, signal.SIG_DFL)
                    os.execvp(sys.argv[1], sys.argv[1:])
                    """));

    private static final @Nullable List<String> WAY =
            WAYS.stream().filter(DefaultSignals::works).findFirst().orElse(null);

    private DefaultSignals() {}

    /** Whether a process that was started with {@link #way} has the default signals. */
    static boolean areThere() {
        return WAY != null;
    }

    /** What to put before a command, mostly nothing. */
    static List<String> way() {
        return WAY == null ? List.of() : WAY;
    }

    private static boolean works(List<String> way) {
        return NUMBERS.entrySet().stream().allMatch(signal -> {
            List<String> line = new ArrayList<>(way);
            line.addAll(List.of("sh", "-c", "kill -s " + signal.getKey() + " $$"));
            return exitCode(line) == 128 + signal.getValue();
        });
    }

    private static int exitCode(List<String> line) {
        try {
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException notThere) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
