package io.holdfast.benchmarks;

import io.holdfast.benchmarks.figures.Figures;
import io.holdfast.servers.LocalServers;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The duration of a whole {@code holdfast run … -- true}, compared with a Java program that does nothing. */
final class Start {

    private static final int NODES = 3;
    /** The installed command; the one in the root of the checkout checks first whether it has to be built. */
    private static final String COMMAND =
            Path.of("cli/target/installed/bin/holdfast").toAbsolutePath().toString();

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final List<String> NAMES =
            List.of("`holdfast run start -- true`", "the same with `--local`", "a Java program that does nothing");
    private static final Path LOCAL_DIRECTORY =
            Path.of("evidence/benchmarks/target/start").toAbsolutePath();

    private static final double NANOS_PER_MILLI = 1_000_000;

    private Start() {}

    static void run(int rounds) throws IOException, InterruptedException {
        List<String> hello = List.of(JAVA, "-cp", classDirectory(Nothing.class).toString(), Nothing.class.getName());
        List<String> local = List.of(COMMAND, "run", "start", "--local", "--", "true");
        try (RedisServers servers = RedisServers.start(NODES)) {
            String nodes = String.join(",", servers.addresses());
            millis(List.of(COMMAND, "admit", "--nodes", nodes));
            compare(rounds, List.of(COMMAND, "run", "start", "--nodes", nodes, "--", "true"), local, hello);
        } finally {
            millis(List.of(COMMAND, "local", "down"));
        }
    }

    /** Runs the commands in turns, and prints how long each takes in comparison with the last one. */
    @SafeVarargs
    private static void compare(int rounds, List<String>... commands) throws IOException, InterruptedException {
        double[][] times = new double[commands.length][rounds];
        for (List<String> command : commands) {
            millis(command);
        }
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < commands.length; i++) {
                times[i][round] = millis(commands[i]);
            }
        }
        double[] hellos = times[times.length - 1];
        PrintStream out = System.out;
        out.println("| a whole process, Java " + Runtime.version().feature() + ", N = " + NODES
                + " | median, ms | median of " + rounds + " ratios |");
        out.println("|---|---|---|");
        for (int i = 0; i < times.length; i++) {
            double[] ratios = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                ratios[round] = times[i][round] / hellos[round];
            }
            out.printf("| %s | %.0f | %.2f |%n", NAMES.get(i), Figures.median(times[i]), Figures.median(ratios));
        }
    }

    /** Returns a directory that contains only the given class; a JVM starts sooner with it than with a jar. */
    private static Path classDirectory(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        Path directory = Files.createTempDirectory("holdfast-start");
        Path copy = directory.resolve(file);
        Files.createDirectories(copy.getParent());
        try (InputStream original = type.getClassLoader().getResourceAsStream(file)) {
            Files.write(copy, Objects.requireNonNull(original).readAllBytes());
        }
        directory.toFile().deleteOnExit();
        Path path = directory;
        for (Path name : Path.of(file)) {
            path = path.resolve(name);
            path.toFile().deleteOnExit();
        }
        return directory;
    }

    private static double millis(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put(LocalServers.VARIABLE, LOCAL_DIRECTORY.toString());
        long begun = System.nanoTime();
        int code =
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start().waitFor();
        if (code != 0) {
            throw new IllegalStateException(command + " ended with " + code);
        }
        return (System.nanoTime() - begun) / NANOS_PER_MILLI;
    }

    /** A Java program that does nothing. */
    static final class Nothing {

        private Nothing() {}

        public static void main(String[] arguments) {
            System.out.print("");
        }
    }
}
