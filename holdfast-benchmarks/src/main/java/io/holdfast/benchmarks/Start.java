package io.holdfast.benchmarks;

import io.holdfast.benchmarks.figures.Figures;
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
    private static final String COMMAND = Path.of("holdfast-cli/target/installed/bin/holdfast")
            .toAbsolutePath()
            .toString();

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final double NANOS_PER_MILLI = 1_000_000;

    private Start() {}

    static void run(int rounds) throws IOException, InterruptedException {
        double[] runs = new double[rounds];
        double[] hellos = new double[rounds];
        double[] ratios = new double[rounds];
        try (RedisServers servers = RedisServers.start(NODES)) {
            String nodes = String.join(",", servers.addresses());
            List<String> run = List.of(COMMAND, "run", "start", "--nodes", nodes, "--", "true");
            List<String> hello =
                    List.of(JAVA, "-cp", classDirectory(Nothing.class).toString(), Nothing.class.getName());
            millis(List.of(COMMAND, "admit", "--nodes", nodes));
            millis(run);
            for (int round = 0; round < rounds; round++) {
                runs[round] = millis(run);
                hellos[round] = millis(hello);
                ratios[round] = runs[round] / hellos[round];
            }
        }
        PrintStream out = System.out;
        out.println("| a whole process, Java " + Runtime.version().feature() + ", N = " + NODES + " | median, ms |");
        out.println("|---|---|");
        out.printf("| `holdfast run start -- true` | %.0f |%n", Figures.median(runs));
        out.printf("| a Java program that does nothing | %.0f |%n", Figures.median(hellos));
        out.printf("| ratio, median of %d rounds | %.2f |%n", rounds, Figures.median(ratios));
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
