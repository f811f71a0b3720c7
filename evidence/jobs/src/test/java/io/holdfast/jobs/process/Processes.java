package io.holdfast.jobs.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.servers.RedisServers;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The processes of one test, which end with it. The output of each is a file. */
final class Processes implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(2);

    private final Path directory;
    private final RedisServers servers;
    private final Path command;
    private final ConcurrentLinkedQueue<Process> started = new ConcurrentLinkedQueue<>();

    /** The end of a process. */
    record Result(int code, String output) {}

    Processes(Path directory, RedisServers servers) {
        this.directory = directory;
        this.servers = servers;
        this.command = directory.resolve("installed");
        run(
                "sh",
                "-c",
                "cd '" + Path.of("").toAbsolutePath() + "' && mkdir '" + command
                        + "' && tar xzf ../../cli/target/holdfast-*.tar.gz -C '" + command + "' --strip-components=1");
        // The first call makes the class archive; several first calls at once would each make it.
        run(command.resolve("bin/holdfast").toString(), "--version");
    }

    /** Skips the test if a program is not installed. */
    static void require(String program, String debianPackage) {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program))),
                "needs " + program + ", of Debian's package " + debianPackage);
    }

    /** Returns words that start a program whose clock differs from that of this machine. */
    static List<String> withClock(Duration ahead) {
        // With -m, the library for programs with several threads.
        return ahead.isZero() ? List.of() : List.of("faketime", "-m", "-f", String.format("%+d", ahead.toSeconds()));
    }

    /**
     * Returns words that start the command.
     *
     * @param prefix the words of a program that starts it, such as {@link #withClock}
     */
    List<String> holdfast(List<String> prefix, String... arguments) {
        List<String> words = new ArrayList<>(prefix);
        words.add(command.resolve("bin/holdfast").toString());
        words.addAll(List.of(arguments));
        return words;
    }

    /** Returns words that start a Java program of this test. */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED", "-cp"));
        words.add(classPath());
        words.add(main.getName());
        words.addAll(List.of(arguments));
        return words;
    }

    /** Spring Boot logs by Logback, which must be the only one. */
    private static String classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(all.split(File.pathSeparator))
                .filter(part -> !part.contains("slf4j-nop"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Starts a program whose output goes to this file. */
    Process start(Path output, List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CONFIG_HOME", directory.toString());
        builder.environment().put("HOLDFAST_NODES", String.join(",", servers.addresses()));
        try {
            Process process = builder.start();
            started.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a program to its end. */
    Result run(String... words) {
        return run(List.of(words));
    }

    Result run(List<String> words) {
        try {
            Path output = Files.createTempFile(directory, "output", "");
            Process process = start(output.toAbsolutePath(), words);
            if (!process.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Still running: " + words);
            }
            return new Result(process.exitValue(), Files.readString(output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        started.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }
}
