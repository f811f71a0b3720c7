package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.node.LockNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MeteredNodeTest {

    /** Strict registries and filters throw when a meter is registered. */
    @Test
    void ask_registryRejectsTheTimer_lockIsGranted() {
        VirtualTime time = new VirtualTime();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                throw new IllegalStateException("not allowed: " + id);
            }
        });
        LockNode node = new MeteredNode(new InMemoryNode("a", time), registry, Tags.empty());
        try (Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(1))) {
            CompletableFuture<Lease> lease = holdfast.lock("job").acquireAsync();
            time.settle();

            assertThat(lease).isCompleted();
        }
    }

    /** Threads of the common pool do not see the classes in an executable jar. */
    @Test
    void of_threadThatDoesNotSeeTheApplication_findsTheRedisClient() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertThat(MeteredNodes.of(new SimpleMeterRegistry()).supports("redis"))
                    .isTrue();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
