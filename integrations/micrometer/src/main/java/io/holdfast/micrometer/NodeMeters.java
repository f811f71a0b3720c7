package io.holdfast.micrometer;

import io.holdfast.node.Majority;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeStatus.State;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The gauges of nodes. Each reading takes the condition of the nodes as the client knows it at that moment. */
final class NodeMeters {

    static final String SECONDS = "seconds";

    private static final double MILLIS_PER_SECOND = 1e3;

    private final Supplier<List<NodeStatus>> nodes;
    private final Supplier<List<NodeStatus>> previous;
    private final Tags tags;

    NodeMeters(Supplier<List<NodeStatus>> nodes, Supplier<List<NodeStatus>> previous, Tags tags) {
        this.nodes = nodes;
        this.previous = previous;
        this.tags = tags;
    }

    void bindTo(BoundGauges gauges) {
        all().map(NodeMeters::place).distinct().forEach(place -> bindTo(gauges, place));
        gauges.add(Gauge.builder("holdfast.quorum.spare", this::spare)
                .description("Nodes that vote beyond the majority")
                .tags(tags));
    }

    private Stream<NodeStatus> all() {
        return Stream.of(nodes, previous).flatMap(set -> set.get().stream());
    }

    /** Adds the gauges of a server. One that is in both sets, in two databases, votes if it does in both. */
    private void bindTo(BoundGauges gauges, String place) {
        Tags node = tags.and("node", place);
        Supplier<Stream<NodeStatus>> server =
                () -> all().filter(status -> place(status).equals(place));
        gauges.add(gauge(
                        "holdfast.node.up",
                        "1 if the node is connected and may be used",
                        () -> server.get().allMatch(NodeMeters::isUp) ? 1 : 0)
                .tags(node));
        gauges.add(gauge(
                        "holdfast.node.votes",
                        "1 if the vote of the node counts",
                        () -> server.get().allMatch(NodeStatus::votes) ? 1 : 0)
                .tags(node));
        gauges.add(gauge(
                        "holdfast.node.quarantine",
                        "Time until the node votes again",
                        () -> server.get()
                                .mapToDouble(NodeMeters::quarantine)
                                .max()
                                .orElse(0))
                .baseUnit(SECONDS)
                .tags(node));
    }

    private static Gauge.Builder<Supplier<Number>> gauge(String name, String description, Supplier<Number> reading) {
        return Gauge.builder(name, reading).description(description);
    }

    private static boolean isUp(NodeStatus status) {
        return status.votes() || status.state() == State.QUARANTINED;
    }

    private static double quarantine(NodeStatus status) {
        return status.state() == State.QUARANTINED ? status.duration().toMillis() / MILLIS_PER_SECOND : 0;
    }

    private double spare() {
        List<NodeStatus> before = previous.get();
        return before.isEmpty() ? spare(nodes.get()) : Math.min(spare(nodes.get()), spare(before));
    }

    private static double spare(List<NodeStatus> all) {
        long votes = all.stream().filter(NodeStatus::votes).count();
        return votes - Majority.of(all.size());
    }

    private static String place(NodeStatus status) {
        return place(status.name());
    }

    /** Returns the name of a node without its scheme: host and port of a single server. */
    static String place(String name) {
        int scheme = name.indexOf("://");
        return scheme < 0 ? name : name.substring(scheme + "://".length());
    }
}
