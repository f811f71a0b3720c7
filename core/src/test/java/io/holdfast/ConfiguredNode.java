package io.holdfast;

import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** An in-memory node as a client with a certain configuration reaches it. */
final class ConfiguredNode extends ForwardingNode {

    private final InMemoryNode memory;
    private final QuorumConfig client;

    ConfiguredNode(InMemoryNode memory, QuorumConfig client) {
        super(memory);
        this.memory = memory;
        this.client = client;
    }

    static List<ConfiguredNode> of(List<InMemoryNode> nodes, QuorumConfig client) {
        return nodes.stream().map(node -> new ConfiguredNode(node, client)).toList();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return memory.ask(claim, client);
    }
}
