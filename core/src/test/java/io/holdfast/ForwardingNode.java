package io.holdfast;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import java.util.concurrent.CompletionStage;

/** A node in memory, except for the methods that a test overrides. */
public abstract class ForwardingNode implements LockNode {

    private final InMemoryNode node;

    /** Creates a node that forwards to the other one. */
    protected ForwardingNode(InMemoryNode node) {
        this.node = node;
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
    public NodeAdmin admin() {
        return node.admin();
    }

    @Override
    public void close() {
        node.close();
    }
}
