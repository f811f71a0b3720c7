package io.holdfast.cli;

import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the packaged command as a process, as a user would. */
final class PackagedCommand {

    private static final String JAVA_HOME = System.getProperty("java.home");
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    /** The installed command, from the archive that the build has made. */
    static final String LAUNCHER = install();

    static final Path JAR =
            Path.of(LAUNCHER).resolveSibling("../lib/holdfast.jar").normalize();

    /** A short input for stdin. */
    private static final Path INPUT = Path.of("/proc/sys/kernel/ostype");

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> prefix = new ArrayList<>(DefaultSignals.prefix());
    private final List<String> shell = new ArrayList<>();

    /** Creates a command whose output is stored in this directory. */
    PackagedCommand(Path directory) {
        this.directory = directory;
    }

    /** Installs the archive of the build as a user does, and runs it once, so that Java archives its classes. */
    private static String install() {
        Path home = TARGET.resolve("test-installation");
        String program = home.resolve("bin/holdfast").toString();
        if (!shell("rm -rf '" + home + "' && mkdir '" + home + "'")
                || !shell("tar xzf '" + TARGET + "'/holdfast-*.tar.gz -C '" + home + "' --strip-components=1")
                || !shell("JAVA_HOME='" + JAVA_HOME + "' '" + program + "' --version >/dev/null")) {
            throw new IllegalStateException("Cannot install the archive in target; run the tests with `mvn verify`");
        }
        return program;
    }

    PackagedCommand with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Runs this shell script in place of Java, except for the archive of classes, which it does not create. */
    PackagedCommand byJava(String script) throws IOException {
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        program(java, "#!/bin/sh\ncase \"$*\" in *CdsTraining*) exit 1 ;; esac\n" + script);
        return with("JAVA_HOME", directory.resolve("java").toString());
    }

    /** Writes a script that all users may run, and returns its path. */
    static Path program(Path file, String script) throws IOException {
        Files.writeString(file, script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Makes the process start with this signal ignored; its children inherit that. */
    PackagedCommand ignoring(String signal) {
        prefix.addAll(List.of("sh", "-c", "trap '' " + signal + "; exec \"$@\"", "sh"));
        return this;
    }

    /** Executes the script of the command by this shell, and not by the one that it names. */
    PackagedCommand by(String... otherShell) {
        shell.addAll(List.of(otherShell));
        return this;
    }

    /**
     * Returns words that start a process without a terminal, where a signal reaches its group only. The program has its
     * path, because a test may change the PATH.
     */
    private static List<String> withoutTerminal() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, "setsid"))
                .filter(Files::isExecutable)
                .limit(1)
                .map(Path::toString)
                .toList();
    }

    /** Runs another program in the environment of the command. */
    Result exec(String... words) {
        List<String> commandLine = new ArrayList<>(prefix);
        commandLine.addAll(List.of(words));
        return start(commandLine).end();
    }

    /** Creates a command for these servers. */
    static PackagedCommand on(Path directory, RedisServers servers) {
        return new PackagedCommand(directory).with(NodesOptions.VARIABLE, String.join(",", servers.addresses()));
    }

    /** The exit code and the output of a process. */
    record Result(int code, String out, String err) {}

    /** Returns the words of both in one array. */
    static String[] words(String[] first, String... more) {
        return Stream.of(first, more).flatMap(Stream::of).toArray(String[]::new);
    }

    Result run(String... arguments) {
        return start(arguments).end();
    }

    Running start(String... arguments) {
        List<String> commandLine = new ArrayList<>(prefix);
        commandLine.addAll(withoutTerminal());
        commandLine.addAll(shell);
        commandLine.add(LAUNCHER);
        commandLine.addAll(Arrays.asList(arguments));
        return start(commandLine);
    }

    /** Starts another program in the same environment. */
    Running start(List<String> commandLine) {
        try {
            Path out = Files.createTempFile(directory, "out", "");
            Path err = Files.createTempFile(directory, "err", "");
            ProcessBuilder builder = new ProcessBuilder(commandLine)
                    .directory(directory.toFile())
                    .redirectInput(INPUT.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().remove(NodesOptions.VARIABLE);
            builder.environment().remove(NodesOptions.PREVIOUS_VARIABLE);
            builder.environment().put("JAVA_HOME", JAVA_HOME);
            builder.environment().put("XDG_CONFIG_HOME", directory.toString());
            builder.environment().putAll(environment);
            return new Running(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A running process. */
    record Running(Process process, Path out, Path err) {

        Result end() {
            return endWithin(Eventually.BOUND);
        }

        Result endWithin(Duration bound) {
            try {
                if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError("Still running after " + bound.toSeconds() + " s; stderr: " + errors());
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

        /** Kills the Java processes that the command has started. */
        void killJava() {
            process.descendants()
                    .filter(below -> below.info().command().orElse("").endsWith("/java"))
                    .forEach(ProcessHandle::destroyForcibly);
        }

        /** Returns whether Java has a thread whose name begins so; looks without a process, which would take time. */
        boolean hasThread(String name) {
            return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                    .anyMatch(below -> hasThread(below.pid(), name));
        }

        private static boolean hasThread(long pid, String name) {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
                for (Path thread : threads) {
                    if (Files.readString(thread.resolve("comm")).startsWith(name)) {
                        return true;
                    }
                }
            } catch (IOException ended) {
                // It has no threads any more.
            }
            return false;
        }

        /** Sends a signal that the process must not ignore. */
        void signal(String name) {
            if (!DefaultSignals.areAvailable()) {
                process.destroyForcibly();
                abort("This build ignores signals, and neither env, perl nor python3 starts a process that does not");
            }
            send(name);
        }

        /** Sends a signal that the process may ignore. */
        void send(String name) {
            shell("kill -s " + name + " " + process.pid());
        }
    }

    /** Returns whether a process has ended; one that its parent has not asked for its exit code is still there. */
    static boolean hasEnded(String pid) {
        return !shell("kill -0 " + pid) || shell("grep -q '^State:.Z' /proc/" + pid + "/status");
    }

    /** Returns whether a process of the command of this lock runs: all of them inherit its name. */
    static boolean hasProcessOf(String lock) {
        return shell("grep -lqsF 'HOLDFAST_RESOURCE=" + lock + "' /proc/[0-9]*/environ");
    }

    /** Runs a shell command and returns whether it succeeded. */
    static boolean shell(String command) {
        try {
            return new ProcessBuilder("sh", "-c", command).start().waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
