package io.holdfast.console.view;

import io.holdfast.admin.LockWatch.ObservedNode;
import io.holdfast.admin.LockWatch.Reading;
import io.holdfast.console.json.Json;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The nodes of one set as rows. Used by one thread. */
final class NodeRows {

    private static final double MICROS = 1_000;
    private static final int TENTH = 100;
    /** Smaller changes of a latency, or of the end of a quarantine, are not sent. */
    private static final double LATENCY_CHANGE = 2;

    /** The weight of a new latency in the mean that is shown. */
    private static final double WEIGHT = 0.1;

    private static final long END_CHANGE_MILLIS = 1_500;

    private final Map<String, Double> means = new HashMap<>();
    private final Map<String, Double> latencies = new HashMap<>();
    private final Map<String, Long> ends = new HashMap<>();

    /** Returns the rows in order. */
    List<Map<String, Object>> update(List<ObservedNode> nodes, long now) {
        return nodes.stream().map(node -> row(node, now)).toList();
    }

    private Map<String, Object> row(ObservedNode node, long now) {
        NodeStatus status = node.status();
        Map<String, Object> row = Json.fields(
                "name", status.name(),
                "state", status.state().name().toLowerCase(Locale.ROOT),
                "cause", status.state() == NodeStatus.State.QUARANTINED ? "may have forgotten locks" : status.cause());
        node.delay().ifPresent(delay -> row.put("latencyMillis", latency(status.name(), delay.toNanos() / MICROS)));
        if (status.state() == NodeStatus.State.QUARANTINED) {
            row.put("quarantineEnds", end(status.name(), now + status.duration().toMillis()));
        }
        return row;
    }

    private double latency(String node, double measured) {
        double micros = means.merge(node, measured, (mean, next) -> mean + WEIGHT * (next - mean));
        double last = latencies.getOrDefault(node, 0.0);
        boolean isSame = micros < last * LATENCY_CHANGE && last < micros * LATENCY_CHANGE;
        double shown = isSame ? last : micros;
        latencies.put(node, shown);
        return Math.max(1, Math.round(shown / TENTH)) * TENTH / MICROS;
    }

    private long end(String node, long end) {
        long last = ends.getOrDefault(node, 0L);
        long shown = Math.abs(end - last) < END_CHANGE_MILLIS ? last : end;
        ends.put(node, shown);
        return shown;
    }

    /**
     * Returns how many nodes of each set may fail while locks can still be acquired; negative if they cannot be now.
     */
    static int spareVotes(Reading reading) {
        int spare = spareVotes(reading.nodes());
        return reading.previous().isEmpty() ? spare : Math.min(spare, spareVotes(reading.previous()));
    }

    private static int spareVotes(List<ObservedNode> nodes) {
        long votes = nodes.stream().filter(node -> node.status().votes()).count();
        return (int) votes - Majority.of(nodes.size());
    }
}
