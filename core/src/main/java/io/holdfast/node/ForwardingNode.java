package io.holdfast.node;

import io.holdfast.record.RecordStore;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A node that forwards to another one; subclasses override what they change. {@link #askAll} calls {@link #ask} for
 * each claim, so overriding {@code ask} is enough; override both to keep the claims together. Thread-safe if the other
 * node is.
 */
public abstract class ForwardingNode implements LockNode {

    private final LockNode node;

    /** Creates a node that forwards to the other one. */
    protected ForwardingNode(LockNode node) {
        this.node = Objects.requireNonNull(node, "node");
    }

    /** Returns the node to which this one forwards. */
    protected final LockNode node() {
        return node;
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return node.ask(claim);
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return node.probe(probe);
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        node.listen(inbox, consumer);
    }

    @Override
    public boolean canNotify() {
        return node.canNotify();
    }

    @Override
    public NodeStatus status() {
        return node.status();
    }

    @Override
    public NodeAdmin admin() {
        return node.admin();
    }

    @Override
    public RecordStore records() {
        return node.records();
    }

    @Override
    public void close() {
        node.close();
    }

    @Override
    public CompletionStage<?> freed() {
        return node.freed();
    }
}
