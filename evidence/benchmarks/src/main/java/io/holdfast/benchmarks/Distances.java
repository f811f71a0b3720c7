package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Floor;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.contestant.RawLettuce;
import io.holdfast.benchmarks.figures.Sample;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.fault.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Five nodes at different distances, made by proxies. A majority needs the reply of the third node, so no library can
 * be faster than the floor on that node.
 */
final class Distances {

    private static final List<Duration> ROUND_TRIPS = List.of(
            Duration.ofMillis(20),
            Duration.ofMillis(5),
            Duration.ofMillis(2),
            Duration.ofMillis(1),
            Duration.ofNanos(500_000));
    private static final int THIRD = 2;
    private static final int CYCLES = 100;
    private static final String RESOURCE = "benchmark";

    private Distances() {}

    /** Runs the contestants in turns and prints a table. */
    static void run(int rounds) throws Exception {
        try (RedisServers servers = RedisServers.start(ROUND_TRIPS.size())) {
            List<FaultProxy> proxies = new ArrayList<>();
            for (int i = 0; i < ROUND_TRIPS.size(); i++) {
                FaultProxy proxy = FaultProxy.to(servers.get(i).uri());
                proxy.delay(ROUND_TRIPS.get(i).dividedBy(2));
                proxies.add(proxy);
            }
            List<String> uris =
                    proxies.stream().map(FaultProxy::uri).map(URI::toString).toList();
            compare(uris, rounds);
            proxies.forEach(FaultProxy::close);
        }
    }

    private static void compare(List<String> uris, int rounds) throws Exception {
        List<Contestant> contestants = new ArrayList<>();
        contestants.add(new Floor(List.of(uris.get(THIRD)), RESOURCE));
        contestants.add(new RawLettuce(uris));
        for (Library library : Library.onRedis(uris.size())) {
            contestants.add(library.connect(uris));
        }
        List<Sample> samples = contestants.stream()
                .map(contestant -> new Sample(rounds * CYCLES))
                .toList();
        for (int round = -1; round < rounds; round++) {
            for (int index = 0; index < contestants.size(); index++) {
                // Each contestant has its own resource: a release may still be in transit to a distant node.
                String resource = index == 0 ? RESOURCE : RESOURCE + index;
                for (int i = 0; i < CYCLES; i++) {
                    long begun = System.nanoTime();
                    Runnable release = contestants.get(index).acquire(resource);
                    long elapsed = System.nanoTime() - begun;
                    release.run();
                    if (round >= 0) {
                        samples.get(index).add(elapsed);
                    }
                }
            }
        }
        print(contestants, samples);
        contestants.forEach(Contestant::close);
    }

    private static void print(List<Contestant> contestants, List<Sample> samples) {
        System.out.println("| library | median | 99 % | longest | ratio to the floor on the third node |");
        System.out.println("|---|---|---|---|---|");
        for (int index = 0; index < contestants.size(); index++) {
            Sample sample = samples.get(index);
            System.out.printf(
                    "| %s | %.2f ms | %.2f ms | %.2f ms | %.2f |%n",
                    contestants.get(index).name(),
                    sample.median() / 1_000,
                    sample.percentile(0.99) / 1_000,
                    sample.percentile(1) / 1_000,
                    sample.median() / samples.get(0).median());
        }
    }
}
