package io.holdfast.benchmarks;

import io.holdfast.benchmarks.figures.Cycle;
import io.holdfast.benchmarks.figures.Figures;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.fault.FaultProxy;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The cost of fencing tokens: an uncontended acquire with the library's scripts and, side by side, with scripts without
 * the fence. The library is loaded twice, so that everything else is equal; the two take turns on the same servers.
 */
final class FenceCost {

    private static final String DIRECTORY = "io/holdfast/redis/script/";
    private static final List<String> SCRIPTS = List.of("acquire.lua", "release.lua");
    private static final int[] NODES = {1, 5};
    private static final int ROUNDS = 15;
    private static final int WARM_UPS = 5;
    private static final int CYCLES = 2_000;
    private static final int DISTANT_CYCLES = 400;

    private FenceCost() {}

    /** Runs the comparison and prints a table. */
    static void run() throws IOException, ReflectiveOperationException {
        Path unfenced = unpackScripts();
        System.out.println("| N | round trip | with fence, median | without, median | ratio of the medians, median of "
                + ROUNDS + " rounds |");
        System.out.println("|---|---|---|---|---|");
        for (int nodes : NODES) {
            try (RedisServers servers = RedisServers.start(nodes)) {
                List<String> near = servers.addresses();
                compare(nodes, "none", CYCLES, cycle(near, null), cycle(near, unfenced));
                List<FaultProxy> networks =
                        servers.uris().stream().map(FenceCost::distant).toList();
                List<String> far =
                        networks.stream().map(proxy -> proxy.uri().toString()).toList();
                compare(nodes, "0.5 ms", DISTANT_CYCLES, cycle(far, null), cycle(far, unfenced));
                networks.forEach(FaultProxy::close);
            }
        }
    }

    private static FaultProxy distant(URI server) {
        FaultProxy proxy = FaultProxy.to(server);
        proxy.delay(Duration.ofNanos(250_000));
        return proxy;
    }

    private static void compare(int nodes, String roundTrip, int cycles, LongSupplier fenced, LongSupplier unfenced) {
        double[] with = new double[ROUNDS];
        double[] without = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        // The first rounds warm both up.
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            double a = medianMicros(fenced, cycles);
            double b = medianMicros(unfenced, cycles);
            if (round >= 0) {
                with[round] = a;
                without[round] = b;
                ratios[round] = a / b;
            }
        }
        System.out.printf(
                "| %d | %s | %.1f µs | %.1f µs | %.3f |%n",
                nodes, roundTrip, Figures.median(with), Figures.median(without), Figures.median(ratios));
    }

    private static double medianMicros(LongSupplier cycle, int cycles) {
        double[] elapsed = new double[cycles];
        Arrays.setAll(elapsed, i -> cycle.getAsLong() / 1_000.0);
        return Figures.median(elapsed);
    }

    /**
     * Returns a cycle in a separate copy of the library, with the scripts of the directory, or the library's own if
     * there is none.
     */
    private static LongSupplier cycle(List<String> uris, @Nullable Path scripts)
            throws MalformedURLException, ReflectiveOperationException {
        List<URL> path = new ArrayList<>();
        if (scripts != null) {
            path.add(scripts.toUri().toURL());
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        @SuppressWarnings("resource") // The loader is used until the process ends.
        ClassLoader loader = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        return (LongSupplier) loader.loadClass(Cycle.class.getName())
                .getConstructor(List.class)
                .newInstance(uris);
    }

    /**
     * Returns a directory with replacements of the library's scripts. A script that the library does not have is an
     * error.
     */
    private static Path unpackScripts() throws IOException {
        Path root = Files.createTempDirectory("unfenced");
        for (String script : SCRIPTS) {
            if (Cycle.class.getResource("/" + DIRECTORY + script) == null) {
                throw new IllegalStateException(
                        "The library has no script " + DIRECTORY + script + "; give FenceCost its new name");
            }
            Path copy = root.resolve(DIRECTORY + script);
            Files.createDirectories(copy.getParent());
            try (InputStream in = FenceCost.class.getResourceAsStream("unfenced/" + script)) {
                Files.write(copy, in.readAllBytes());
            }
        }
        return root;
    }
}
