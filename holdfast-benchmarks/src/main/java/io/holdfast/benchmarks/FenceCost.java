package io.holdfast.benchmarks;

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
 * What fencing tokens cost: an uncontended acquire with the library's scripts and, side by side, with scripts that do without
 * the fence. The library is loaded twice, so that all else is the same; the two take turns on the same servers.
 */
final class FenceCost {

    private static final List<String> SCRIPTS =
            List.of("lib/marker.lua", "lib/fence_accept.lua", "acquire.lua", "release.lua", "release_queued.lua");
    private static final int[] NODES = {1, 5};
    private static final int ROUNDS = 15;
    private static final int WARM_UPS = 5;
    private static final int CYCLES = 2_000;
    private static final int DISTANT_CYCLES = 400;

    private FenceCost() {}

    /** Prints a table. */
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
        double[] taken = new double[cycles];
        Arrays.setAll(taken, i -> cycle.getAsLong() / 1_000.0);
        return Figures.median(taken);
    }

    /** A cycle in a copy of the library of its own, with the scripts of that directory, or its own ones if there is none. */
    private static LongSupplier cycle(List<String> uris, @Nullable Path scripts)
            throws MalformedURLException, ReflectiveOperationException {
        List<URL> path = new ArrayList<>();
        if (scripts != null) {
            path.add(scripts.toUri().toURL());
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        @SuppressWarnings("resource") // It lives as long as the process.
        ClassLoader loader = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        return (LongSupplier) loader.loadClass(Cycle.class.getName())
                .getConstructor(List.class)
                .newInstance(uris);
    }

    /** Writes the scripts to a directory that precedes the library on the class path, and returns its root. */
    private static Path unpackScripts() throws IOException {
        Path root = Files.createTempDirectory("unfenced");
        Path directory = Files.createDirectories(root.resolve("io/holdfast/redis/script"));
        for (String script : SCRIPTS) {
            try (InputStream in = FenceCost.class.getResourceAsStream("unfenced/" + script)) {
                Path file = directory.resolve(script);
                Files.createDirectories(file.getParent());
                Files.write(file, in.readAllBytes());
            }
        }
        return root;
    }
}
