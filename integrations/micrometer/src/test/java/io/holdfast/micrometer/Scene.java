package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.jobs.JobRecorder;
import io.holdfast.jobs.JobRule;
import io.holdfast.jobs.JobRun;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
    final Holdfast holdfast =
            Holdfast.forTesting(nodes.stream().map(this::metered).toList(), time, new Random(1));
    final Holdfast other = Holdfast.forTesting(nodes.stream().map(Link::new).toList(), time, new Random(2));

    /** Makes the nodes leave questions of the second client for jobs unanswered. */
    boolean isSilent;

    /** Makes the claims of the first client fail. */
    boolean isDeaf;

    Scene() {
        new HoldfastMetrics(holdfast).bindTo(registry);
        time.settle();
    }

    /** The connection of the second client to a node. */
    private final class Link extends ForwardingNode {

        Link(InMemoryNode node) {
            super(node);
        }

        @Override
        public NodeAdmin admin() {
            return isSilent ? new NodeAdmin() {} : super.admin();
        }
    }

    private LockNode metered(InMemoryNode node) {
        LockNode deaf = new ForwardingNode(node) {
            @Override
            public CompletionStage<Reply> ask(Claim claim) {
                return isDeaf ? CompletableFuture.completedFuture(Reply.unknown("lost")) : super.ask(claim);
            }
        };
        return new MeteredNode(deaf, registry, Tags.empty());
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

    /** Runs a job of the first client, which takes 2 s. */
    void runJob(String name, JobRun.Status status, Duration every) {
        Lease lease = acquired(holdfast, name);
        JobRule rule = JobRule.always(this::instant).expectedEvery(every);
        JobRecorder recorder = JobRecorder.of(lease, rule);
        recorder.decideAsync();
        time.settle();
        recorder.started(JobRun.Runner.ofThisProcess(JobRun.Runner.JAVA, name), Duration.ZERO);
        time.advance(Duration.ofSeconds(2));
        recorder.endedAsync(status, "");
        time.settle();
        lease.releaseAsync();
        time.settle();
    }

    private Instant instant() {
        return Instant.EPOCH.plus(time.now().wallMicros(), ChronoUnit.MICROS);
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
        new JobMetrics(holdfast).bindTo(registry);
        runJob("nightly", JobRun.Status.SUCCEEDED, Duration.ofDays(1));
        registry.scrape();
        time.settle();
        registry.scrape();
    }

    static double gauge(MeterRegistry registry, String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }
}
