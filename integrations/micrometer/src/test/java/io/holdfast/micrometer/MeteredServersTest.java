package io.holdfast.micrometer;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.RestartPolicy;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Meters of real servers, one of which dies. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class MeteredServersTest {

    private static final HoldfastOptions OPTIONS = PatientOptions.CLIENT.toBuilder()
            .restarts(RestartPolicy.UNSAFE_IMMEDIATE)
            .build();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void nodes_oneOfThreeIsKilled_isDownAndTheSpareIsGone() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = Holdfast.connect(servers.addresses(), OPTIONS, MeteredNodes.of(registry))) {
            new HoldfastMetrics(holdfast).bindTo(registry);
            eventually("all nodes vote", () -> Scene.gauge(registry, "holdfast.quorum.spare") == 1);
            Lease lease = holdfast.lock("order:42", PatientOptions.LOCK).acquire();
            URI killed = servers.get(2).uri();
            String node = killed.getHost() + ":" + killed.getPort();
            // This node may answer after the majority, and more than once if the first attempt was slow.
            eventually("the node has granted the lock", () -> requests(node, "acquire", "granted") > 0);

            servers.get(2).kill();

            eventually("the node is down", () -> Scene.gauge(registry, "holdfast.node.up", "node", node) == 0);
            assertThat(Scene.gauge(registry, "holdfast.quorum.spare")).isZero();
            assertThat(lease.extend(PatientOptions.LOCK.lease())).isTrue();
            eventually("the renewal is counted", () -> renewals() > 0);
            eventually("the failed request is measured", () -> requests(node, "extend", "failed") > 0);
        }
    }

    private double renewals() {
        return registry.get("holdfast.lease.renewals")
                .tags("outcome", "confirmed")
                .counter()
                .count();
    }

    private long requests(String node, String action, String reply) {
        var timer = registry.find("holdfast.node.requests")
                .tags("node", node, "action", action, "reply", reply)
                .timer();
        return timer == null ? 0 : timer.count();
    }

    @Test
    void requests_furtherTags_areOnEachTimer() throws InterruptedException {
        MeteredNodes client = MeteredNodes.of(new LettuceNodes(), registry, Tags.of("application", "shop"));
        try (RedisServers servers = RedisServers.start(1);
                Holdfast holdfast = Holdfast.connect(servers.addresses(), OPTIONS, client)) {
            holdfast.lock("order:42", PatientOptions.LOCK).acquire().close();

            assertThat(registry.find("holdfast.node.requests").timers())
                    .isNotEmpty()
                    .allMatch(timer -> "shop".equals(timer.getId().getTag("application")));
        }
    }
}
