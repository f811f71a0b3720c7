package io.holdfast.client;

import io.holdfast.event.LockEvent;
import io.holdfast.event.Registration;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reports changes in the condition of nodes, as this client knows it without a round trip. Checks once a second while
 * there is a listener, and when a quarantine begins or ends.
 *
 * <p>Thread-safe.
 */
public final class NodeMonitor {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private List<LockNode> nodes = List.of();
    private final EventListeners listeners;
    private final Time time;
    private List<NodeStatus.State> known = List.of();
    private boolean running;
    private boolean closed;

    /** Creates a monitor that watches no node yet. */
    public NodeMonitor(EventListeners listeners, Time time) {
        this.listeners = listeners;
        this.time = time;
    }

    /** Sets the nodes. Their quarantines may be reported before. */
    public synchronized void watch(List<LockNode> all) {
        nodes = all;
    }

    /**
     * Adds a listener, which first receives the present condition of each node; has no effect after {@link #close()}.
     */
    public synchronized Registration add(Consumer<? super LockEvent> consumer) {
        if (closed) {
            return () -> {};
        }
        Registration added = listeners.add(
                consumer, reportChanges().stream().map(NodeMonitor::event).toList());
        if (!running) {
            time.repeat(INTERVAL, this::tick);
            running = true;
        }
        return added;
    }

    private synchronized boolean tick() {
        running = !closed && !listeners.isEmpty();
        if (running) {
            check();
        }
        return running;
    }

    /** Reports the nodes whose condition has changed. */
    public synchronized void check() {
        if (!listeners.isEmpty()) {
            reportChanges();
        }
    }

    private List<NodeStatus> reportChanges() {
        List<NodeStatus> present = nodes.stream().map(LockNode::status).toList();
        List<NodeStatus.State> before = known;
        known = present.stream().map(NodeStatus::state).toList();
        List<LockEvent> changes = new ArrayList<>();
        for (int i = 0; i < present.size(); i++) {
            if (i >= before.size() || before.get(i) != known.get(i)) {
                changes.add(event(present.get(i)));
            }
        }
        changes.forEach(listeners::report);
        return present;
    }

    /** Ends the checks. */
    public synchronized void close() {
        closed = true;
    }

    private static LockEvent event(NodeStatus status) {
        return switch (status.state()) {
            case VOTES -> new LockEvent.NodeVoting(status.name());
            case QUARANTINED -> new LockEvent.NodeQuarantined(status.name(), status.duration());
            case UNREACHABLE, REFUSED -> new LockEvent.NodeGone(status.name(), status.cause());
        };
    }
}
