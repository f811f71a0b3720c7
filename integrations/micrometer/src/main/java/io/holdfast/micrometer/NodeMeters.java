package io.holdfast.micrometer;

import io.holdfast.node.Majority;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeStatus.State;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

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
        int count = nodes.get().size();
        for (int i = 0; i < count; i++) {
            int index = i;
            Tags node = tags.and("node", place(nodes.get().get(i).name()));
            gauges.add(gauge("holdfast.node.up", "1 if the node is connected and may be used", index, NodeMeters::up)
                    .tags(node));
            gauges.add(gauge(
                            "holdfast.node.votes",
                            "1 if the vote of the node counts",
                            index,
                            status -> status.votes() ? 1 : 0)
                    .tags(node));
            gauges.add(
                    gauge("holdfast.node.quarantine", "Time until the node votes again", index, NodeMeters::quarantine)
                            .baseUnit(SECONDS)
                            .tags(node));
        }
        gauges.add(Gauge.builder("holdfast.quorum.spare", this::spare)
                .description("Nodes that vote beyond the majority")
                .tags(tags));
    }

    private Gauge.Builder<Supplier<Number>> gauge(
            String name, String description, int node, ToDoubleFunction<NodeStatus> value) {
        Supplier<Number> reading = () -> value.applyAsDouble(nodes.get().get(node));
        return Gauge.builder(name, reading).description(description);
    }

    private static double up(NodeStatus status) {
        return status.votes() || status.state() == State.QUARANTINED ? 1 : 0;
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

    /** Returns the name of a node without its scheme: host and port of a single server. */
    static String place(String name) {
        int scheme = name.indexOf("://");
        return scheme < 0 ? name : name.substring(scheme + "://".length());
    }
}
