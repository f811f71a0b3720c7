package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.node.LockNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A metered client of three in-memory nodes, and a second client, all in virtual time. */
final class Scene {

    static final LockOptions ONCE =
            LockOptions.builder().waitLimit(Duration.ZERO).build();

    final VirtualTime time = new VirtualTime();
    final List<InMemoryNode> nodes =
            Stream.of("a", "b", "c").map(name -> new InMemoryNode(name, time)).toList();
    final PrometheusMeterRegistry registry = registry(time);
    final Holdfast holdfast = Holdfast.forTesting(
            nodes.stream().map(node -> MeteredNodes.metered(node, registry)).toList(), time, new Random(1));
    final Holdfast other = Holdfast.forTesting(nodes, time, new Random(2));

    Scene() {
        new HoldfastMetrics(holdfast).bindTo(registry);
        time.settle();
    }

    private static PrometheusMeterRegistry registry(VirtualTime time) {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), new Clock() {
            @Override
            public long wallTime() {
                return TimeUnit.MICROSECONDS.toMillis(time.now().wallMicros());
            }

            @Override
            public long monotonicTime() {
                return time.now().nanos();
            }
        });
    }

    Lease acquired(Holdfast by, String name) {
        CompletableFuture<Lease> lease = by.lock(name).acquireAsync();
        time.settle();
        return lease.join();
    }

    /** Makes one meter of each kind, and most values of their tags. */
    void runThroughEverything() {
        Lease lease = acquired(holdfast, "order:1");
        holdfast.lock("order:1", ONCE).acquireAsync();
        time.advance(Duration.ofSeconds(11));
        nodes.forEach(node -> node.evict("order:1"));
        time.advance(Duration.ofSeconds(60));
        lease.close();
        acquired(holdfast, "order:2").releaseAsync();
        time.settle();
    }

    static double gauge(MeterRegistry registry, String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    List<LockNode> asNodes() {
        return List.copyOf(nodes);
    }
}
