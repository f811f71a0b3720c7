package io.holdfast;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node that answers nothing. */
public final class SilentNode implements LockNode {

    @Override
    public String name() {
        return "silent";
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return new CompletableFuture<>();
    }

    @Override
    public void close() {}
}
