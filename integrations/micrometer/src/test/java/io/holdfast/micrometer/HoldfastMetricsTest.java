package io.holdfast.micrometer;

import static io.holdfast.micrometer.Scene.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.VirtualTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each meter, its tags and its values, in virtual time. */
class HoldfastMetricsTest {

    private final Scene scene = new Scene();
    private final VirtualTime time = scene.time;
    private final Holdfast holdfast = scene.holdfast;
    private final MeterRegistry registry = scene.registry;

    @Test
    void waiters_requestedBeforeTheBinding_isNotCountedBelowZero() {
        Lease before = scene.acquired(scene.other, "order:42");
        CompletableFuture<Lease> early = holdfast.lock("order:42").acquireAsync();
        MeterRegistry late = new SimpleMeterRegistry();
        new HoldfastMetrics(holdfast).bindTo(late);
        before.releaseAsync();
        time.settle();

        assertThat(early).isCompleted();
        holdfast.lock("order:42").acquireAsync();
        time.settle();

        assertThat(late.get("holdfast.waiters").gauge().value()).isEqualTo(1);
    }

    @Test
    void acquire_granted_isTimedByGroupAndMode() {
        Lease before = scene.acquired(scene.other, "order:42");
        CompletableFuture<Lease> waiter = holdfast.lock("order:42").acquireAsync();
        time.advance(Duration.ofSeconds(3));
        before.releaseAsync();
        time.settle();

        assertThat(waiter).isCompleted();
        Timer timer = acquire("order", "exclusive", "acquired");
        assertThat(timer.count()).isEqualTo(1);
        assertThat(timer.totalTime(TimeUnit.SECONDS)).isBetween(3.0, 3.1);
    }

    @Test
    void acquire_sharedAndRefused_isTimedByOutcome() {
        scene.acquired(scene.other, "order:42");

        holdfast.lock("order:42", ONCE).shared().acquireAsync();
        time.settle();

        assertThat(acquire("order", "shared", "held").count()).isEqualTo(1);
    }

    @Test
    void acquire_splitVotes_isTied() {
        for (int i = 0; i < 3; i++) {
            Owner owner = new Owner(i + "-other");
            scene.nodes.get(i).ask(Claim.acquire("job", owner, Duration.ofMinutes(1), new FencingToken(i + 1)));
        }

        holdfast.lock("job", ONCE).acquireAsync();
        time.advance(Duration.ofSeconds(10));

        assertThat(acquire("job", "exclusive", "tied").count()).isEqualTo(1);
    }

    @Test
    void acquire_cancelled_isAbandonedAndWaitsNoLonger() {
        scene.acquired(scene.other, "job");
        CompletableFuture<Lease> waiter = holdfast.lock("job").acquireAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(Scene.gauge(registry, "holdfast.waiters", "lock", "job")).isEqualTo(1);

        waiter.cancel(true);
        time.settle();

        assertThat(acquire("job", "exclusive", "abandoned").count()).isEqualTo(1);
        assertThat(Scene.gauge(registry, "holdfast.waiters", "lock", "job")).isZero();
    }

    @Test
    void leases_grantedAndReleased_areCountedAndTimed() {
        Lease lease = scene.acquired(holdfast, "job");
        assertThat(Scene.gauge(registry, "holdfast.leases", "lock", "job")).isEqualTo(1);

        time.advance(Duration.ofSeconds(5));
        lease.releaseAsync();
        time.settle();

        assertThat(Scene.gauge(registry, "holdfast.leases", "lock", "job")).isZero();
        Timer held = registry.get("holdfast.lease.held")
                .tags("lock", "job", "end", "released")
                .timer();
        assertThat(held.totalTime(TimeUnit.SECONDS)).isEqualTo(5);
    }

    @Test
    void leases_detached_endAsDetached() {
        scene.acquired(holdfast, "job").detach();
        time.settle();

        assertThat(registry.get("holdfast.lease.held")
                        .tags("lock", "job", "end", "detached")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void lost_takenAway_isCountedByReason() {
        scene.acquired(holdfast, "job");
        scene.nodes.forEach(node -> node.evict("job"));
        scene.acquired(scene.other, "job");
        time.advance(Duration.ofSeconds(11));

        assertThat(lost("taken")).isEqualTo(1);
        assertThat(registry.get("holdfast.lease.held")
                        .tags("end", "lost")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    /** Prometheus sees no increase if a counter begins with one. */
    @Test
    void lost_firstLeaseOfAGroup_beginsWithZeroForEachReason() {
        scene.acquired(holdfast, "job");

        assertThat(Stream.of("expired", "taken", "quorum_unreachable", "hold_limit", "closed")
                        .map(this::lost))
                .containsOnly(0.0);
    }

    @Test
    void renewals_confirmedAndNot_areCounted() {
        scene.acquired(holdfast, "job");
        time.advance(Duration.ofSeconds(11));
        scene.isDeaf = true;
        time.advance(Duration.ofSeconds(10));

        assertThat(renewals("confirmed")).isEqualTo(1);
        assertThat(renewals("unconfirmed")).isPositive();
    }

    @Test
    void left_severalLeases_isTheShortest() {
        assertThat(Scene.gauge(registry, "holdfast.lease.left")).isNaN();
        holdfast.lock(
                        "short",
                        LockOptions.builder()
                                .lease(Duration.ofSeconds(10))
                                .renewal(false)
                                .build())
                .acquireAsync();
        scene.acquired(holdfast, "long");
        time.advance(Duration.ofSeconds(4));

        assertThat(Scene.gauge(registry, "holdfast.lease.left")).isBetween(5.8, 6.0);
    }

    @Test
    void left_renewedLease_growsAgain() {
        scene.acquired(holdfast, "job");
        time.advance(Duration.ofSeconds(9));
        double before = Scene.gauge(registry, "holdfast.lease.left");
        time.advance(Duration.ofSeconds(2));

        assertThat(before).isBetween(20.0, 21.0);
        assertThat(Scene.gauge(registry, "holdfast.lease.left")).isBetween(28.0, 30.0);
    }

    @Test
    void tags_tenThousandNames_stayBounded() {
        for (int i = 0; i < 10_000; i++) {
            scene.acquired(holdfast, i % 2 == 0 ? "order:" + i : "name-" + i).releaseAsync();
        }
        time.settle();

        assertThat(registry.getMeters().stream()
                        .map(meter -> meter.getId().getTag("lock"))
                        .distinct()
                        .count())
                .isLessThanOrEqualTo(LockGroups.DEFAULT_LIMIT + 2L);
        assertThat(acquire("order", "exclusive", "acquired").count()).isEqualTo(5_000);
        assertThat(acquire(LockGroups.OTHER, "exclusive", "acquired").count()).isEqualTo(4_901);
        assertThat(Scene.gauge(registry, "holdfast.leases", "lock", LockGroups.OTHER))
                .isZero();
    }

    @Test
    void nodes_votingQuarantinedAndGone_haveGauges() {
        List<NodeStatus> statuses = List.of(
                NodeStatus.voting("redis://a:6379"),
                NodeStatus.quarantined("redis://b:6379", Duration.ofSeconds(66)),
                NodeStatus.refused("redis://c:6379", "is a replica"),
                NodeStatus.unreachable("redis://d:6379", Duration.ofSeconds(1), "refused"),
                NodeStatus.voting("redis://e:6379"));
        MeterRegistry simple = new SimpleMeterRegistry();
        new NodeMeters(() -> statuses, List::of, Tags.of("application", "shop")).bindTo(new BoundGauges(simple));

        assertThat(ofNodes(simple, "holdfast.node.up")).containsExactly(1.0, 1.0, 0.0, 0.0, 1.0);
        assertThat(ofNodes(simple, "holdfast.node.votes")).containsExactly(1.0, 0.0, 0.0, 0.0, 1.0);
        assertThat(ofNodes(simple, "holdfast.node.quarantine")).containsExactly(0.0, 66.0, 0.0, 0.0, 0.0);
        assertThat(Scene.gauge(simple, "holdfast.quorum.spare", "application", "shop"))
                .isEqualTo(-1);
    }

    @Test
    void nodes_previousSet_haveGauges() {
        List<NodeStatus> present = List.of(
                NodeStatus.voting("redis://a:6379"),
                NodeStatus.quarantined("redis://b:6379", Duration.ofSeconds(66)),
                NodeStatus.voting("redis://c:6379"));
        List<NodeStatus> previous = List.of(
                NodeStatus.refused("redis://a:6379", "is a replica"),
                NodeStatus.voting("redis://b:6379"),
                NodeStatus.quarantined("redis://d:6379", Duration.ofSeconds(30)),
                NodeStatus.voting("redis://e:6379"));
        MeterRegistry simple = new SimpleMeterRegistry();
        new NodeMeters(() -> present, () -> previous, Tags.empty()).bindTo(new BoundGauges(simple));

        assertThat(ofNodes(simple, "holdfast.node.up")).containsExactly(0.0, 1.0, 1.0, 1.0, 1.0);
        assertThat(ofNodes(simple, "holdfast.node.votes")).containsExactly(0.0, 0.0, 1.0, 0.0, 1.0);
        assertThat(ofNodes(simple, "holdfast.node.quarantine")).containsExactly(0.0, 66.0, 0.0, 30.0, 0.0);
        assertThat(Scene.gauge(simple, "holdfast.quorum.spare")).isEqualTo(-1);
    }

    private static Stream<Double> ofNodes(MeterRegistry simple, String name) {
        return Stream.of("a", "b", "c", "d", "e").map(node -> Scene.gauge(simple, name, "node", node + ":6379"));
    }

    @Test
    void requests_actionsAndReplies_areTimedByNode() {
        Lease lease = scene.acquired(holdfast, "job");
        holdfast.lock("job", ONCE).acquireAsync();
        time.advance(Duration.ofSeconds(11));
        lease.releaseAsync();
        time.settle();

        assertThat(requests("acquire", "granted")).isEqualTo(1);
        assertThat(requests("acquire", "refused")).isPositive();
        assertThat(requests("extend", "granted")).isEqualTo(1);
        assertThat(requests("release", "granted")).isEqualTo(1);
    }

    private long requests(String action, String reply) {
        return registry.get("holdfast.node.requests")
                .tags("node", "b", "action", action, "reply", reply)
                .timer()
                .count();
    }

    @Test
    void bindTo_sameRegistryTwice_countsOnce() {
        SimpleMeterRegistry simple = new SimpleMeterRegistry();
        HoldfastMetrics metrics = new HoldfastMetrics(holdfast);
        metrics.bindTo(simple);
        metrics.bindTo(simple);

        scene.acquired(holdfast, "job");

        assertThat(simple.get("holdfast.acquire").timer().count()).isEqualTo(1);
    }

    @Test
    void close_metrics_updateNothingMore() {
        SimpleMeterRegistry simple = new SimpleMeterRegistry();
        HoldfastMetrics metrics = new HoldfastMetrics(holdfast, LockGroups.beforeColon(), Tags.of("client", "1"));
        metrics.bindTo(simple);
        metrics.close();
        scene.acquired(holdfast, "job");

        assertThat(simple.getMeters())
                .extracting(Meter::getId)
                .noneMatch(id -> id.getName().equals("holdfast.acquire"))
                .allMatch(id -> "1".equals(id.getTag("client")));
    }

    @Test
    void close_anotherClientBinds_gaugesShowTheOther() {
        SimpleMeterRegistry simple = new SimpleMeterRegistry();
        HoldfastMetrics first = new HoldfastMetrics(holdfast);
        first.bindTo(simple);
        scene.acquired(holdfast, "job:1");
        first.close();
        assertThat(simple.find("holdfast.leases").meter()).isNull();
        holdfast.close();

        new HoldfastMetrics(scene.other).bindTo(simple);
        scene.acquired(scene.other, "job:2");
        scene.acquired(scene.other, "job:3");

        assertThat(Scene.gauge(simple, "holdfast.leases", "lock", "job")).isEqualTo(2);
        assertThat(Scene.gauge(simple, "holdfast.lease.left")).isPositive();
        assertThat(simple.get("holdfast.acquire").timer().count()).isEqualTo(3);
    }

    private Timer acquire(String group, String mode, String outcome) {
        return registry.get("holdfast.acquire")
                .tags("lock", group, "mode", mode, "outcome", outcome)
                .timer();
    }

    private double lost(String reason) {
        return registry.get("holdfast.lease.lost")
                .tags("lock", "job", "reason", reason)
                .counter()
                .count();
    }

    private double renewals(String outcome) {
        return registry.get("holdfast.lease.renewals")
                .tags("lock", "job", "outcome", outcome)
                .counter()
                .count();
    }
}
