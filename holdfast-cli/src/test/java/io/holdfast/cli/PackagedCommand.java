package io.holdfast.cli;

import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The packaged command as a user starts it: a process of its own. */
final class PackagedCommand {

    private static final long END_SECONDS = 60;
    private static final String JAR = System.getProperty("holdfast.jar", "(started without Maven)");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Something short to read on stdin. */
    private static final Path INPUT = Path.of("/proc/sys/kernel/ostype");

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> prefix = new ArrayList<>(DefaultSignals.way());

    /** In this directory the output is kept. */
    PackagedCommand(Path directory) {
        this.directory = directory;
    }

    PackagedCommand with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Starts the process with this signal ignored, which it and its children inherit. */
    PackagedCommand ignoring(String signal) {
        prefix.addAll(List.of("sh", "-c", "trap '' " + signal + "; exec \"$@\"", "sh"));
        return this;
    }

    /** The same, for these servers. */
    static PackagedCommand on(Path directory, RedisServers servers) {
        return new PackagedCommand(directory).with(NodesOptions.VARIABLE, String.join(",", servers.addresses()));
    }

    /** What a process printed and how it ended. */
    record Result(int code, String out, String err) {}

    Result run(String... arguments) {
        return start(arguments).end();
    }

    Running start(String... arguments) {
        List<String> line = new ArrayList<>(prefix);
        line.addAll(List.of(JAVA, "-XX:TieredStopAtLevel=1", "-jar", JAR));
        line.addAll(Arrays.asList(arguments));
        try {
            Path out = Files.createTempFile(directory, "out", "");
            Path err = Files.createTempFile(directory, "err", "");
            ProcessBuilder builder = new ProcessBuilder(line)
                    .directory(directory.toFile())
                    .redirectInput(INPUT.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().remove(NodesOptions.VARIABLE);
            builder.environment().put("XDG_CONFIG_HOME", directory.toString());
            builder.environment().putAll(environment);
            return new Running(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process on its way. */
    record Running(Process process, Path out, Path err) {

        Result end() {
            try {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError("Still running after " + END_SECONDS + " s; stderr: " + errors());
                }
                return new Result(process.exitValue(), Files.readString(out), errors());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        String errors() {
            try {
                return Files.readString(err);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends a signal that the process must not ignore. */
        void signal(String name) {
            if (!DefaultSignals.areThere()) {
                process.destroyForcibly();
                abort("This build ignores signals, and neither env, perl nor python3 starts a process that does not");
            }
            send(name);
        }

        /** Sends a signal, whatever the process does with it. */
        void send(String name) {
            shell("kill -s " + name + " " + process.pid());
        }
    }

    /** Runs a line of shell and returns whether it succeeded. */
    static boolean shell(String line) {
        try {
            return new ProcessBuilder("sh", "-c", line).start().waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
