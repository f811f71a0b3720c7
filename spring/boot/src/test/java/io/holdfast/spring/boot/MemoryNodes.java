package io.holdfast.spring.boot;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes the place of the Redis client, and records how it was asked to connect. */
final class MemoryNodes implements NodeProvider, NodeDecorator {

    private final List<String> addresses = new ArrayList<>();
    private @Nullable NodeSettings settings;
    private @Nullable NodeProvider replaced;

    @Override
    public NodeProvider decorate(NodeProvider client) {
        replaced = client;
        return this;
    }

    @Override
    public boolean supports(String scheme) {
        return true;
    }

    @Override
    public List<LockNode> connect(List<NodeAddress> uris, NodeSettings with, Time time) {
        settings = with;
        uris.forEach(uri -> addresses.add(uri.toString()));
        return uris.stream()
                .<LockNode>map(uri -> with.guarded()
                        ? InMemoryNode.guarded(uri.toString(), time)
                        : new InMemoryNode(uri.toString(), time))
                .toList();
    }

    List<String> addresses() {
        return addresses;
    }

    NodeProvider replaced() {
        return Objects.requireNonNull(replaced);
    }

    NodeSettings settings() {
        return Objects.requireNonNull(settings);
    }
}
