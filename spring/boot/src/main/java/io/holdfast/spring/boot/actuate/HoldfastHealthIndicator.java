package io.holdfast.spring.boot.actuate;

import io.holdfast.Holdfast;
import io.holdfast.jobs.JobOverview;
import io.holdfast.jobs.JobStatus;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeStatus.State;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the nodes: {@code UP} if a majority votes, {@code OUT_OF_SERVICE} if a majority will vote after its
 * quarantine, {@code DOWN} otherwise. Each node is asked at that moment, so the answer is true also if no lock is in
 * use. A node that does not answer within the timeout counts as unreachable. Previous nodes, of which a majority is
 * needed as well, are not asked; their condition is known within 5 s. The detail {@code overdueJobs} names the jobs
 * that are overdue, or says why they are not known; they change the status only if that is wanted.
 */
public final class HoldfastHealthIndicator extends AbstractHealthIndicator {

    /**
     * The default of {@code management.health.holdfast.timeout}, as long as a round of a lock. All nodes are asked at
     * once, and the jobs at the same time, so the answer takes no longer.
     */
    static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(500);

    private final Holdfast holdfast;
    private final JobOverview jobs;
    private final Duration timeout;
    private final boolean downIfOverdue;

    /**
     * Creates an indicator.
     *
     * @param timeout the longest wait for the answer of a node
     * @param downIfOverdue whether the status is {@code DOWN} if a job is overdue
     */
    public HoldfastHealthIndicator(Holdfast holdfast, JobOverview jobs, Duration timeout, boolean downIfOverdue) {
        super("Holdfast's nodes could not be asked");
        this.holdfast = holdfast;
        this.jobs = jobs;
        this.timeout = timeout;
        this.downIfOverdue = downIfOverdue;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Supplier<JobOverview.Reading> reading = jobs.within(timeout);
        List<NodeStatus> nodes = holdfast.admin().standings(timeout);
        List<NodeStatus> previous = holdfast.previousNodes();
        Optional<Duration> quorumIn = votesIn(nodes)
                .flatMap(present -> previous.isEmpty()
                        ? Optional.of(present)
                        : votesIn(previous).map(before -> Durations.longer(present, before)));
        if (quorumIn.isEmpty()) {
            builder.down();
        } else if (quorumIn.get().isZero()) {
            builder.up();
        } else {
            builder.outOfService().withDetail("quorum", "votes in " + Durations.toWholeSeconds(quorumIn.get()) + " s");
        }
        int majority = Majority.of(nodes.size());
        long votes = nodes.stream().filter(NodeStatus::votes).count();
        builder.withDetail("votes", votes)
                .withDetail("majority", majority)
                .withDetail("spare", votes - majority)
                .withDetail("nodes", described(nodes));
        if (!previous.isEmpty()) {
            builder.withDetail("previousNodes", described(previous));
        }
        addJobs(builder, reading.get());
    }

    /** Returns the time after which a majority votes if only quarantined nodes are missing; empty if others are. */
    private static Optional<Duration> votesIn(List<NodeStatus> nodes) {
        return nodes.stream()
                .filter(node -> node.votes() || node.state() == State.QUARANTINED)
                .map(node -> node.votes() ? Duration.ZERO : node.duration())
                .sorted()
                .skip(Majority.of(nodes.size()) - 1L)
                .findFirst();
    }

    private void addJobs(Health.Builder builder, JobOverview.Reading reading) {
        List<String> overdue = reading.jobs().stream()
                .filter(job -> job.isComplete() && job.isOverdue(reading.begun()))
                .map(JobStatus::name)
                .toList();
        builder.withDetail("overdueJobs", reading.isKnown() ? overdue : "unknown: " + reading.cause());
        if (downIfOverdue && !overdue.isEmpty()) {
            builder.down();
        }
    }

    private static Map<String, String> described(List<NodeStatus> nodes) {
        Map<String, String> all = new LinkedHashMap<>();
        nodes.forEach(node -> all.put(node.name(), described(node)));
        return all;
    }

    private static String described(NodeStatus node) {
        return switch (node.state()) {
            case VOTES -> "votes";
            case QUARANTINED -> "quarantine: votes in " + Durations.toWholeSeconds(node.duration()) + " s";
            case UNREACHABLE -> "down: " + node.cause();
            case REFUSED -> "refused: " + node.cause();
            case CLOSED -> "closed: " + node.cause();
        };
    }
}
