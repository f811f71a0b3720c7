package io.holdfast.cli.option;

import io.holdfast.jedis.JedisNodes;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.Time;
import java.util.List;

/** A client that accepts the addresses that the real one accepts, and connects to none of them. */
final class AddressCheck implements NodeProvider {

    private final JedisNodes client = new JedisNodes();

    @Override
    public boolean supports(String scheme) {
        return client.supports(scheme);
    }

    @Override
    public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
        client.check(addresses, settings, time);
        return addresses.stream()
                .<LockNode>map(address -> new InMemoryNode(Integer.toString(addresses.indexOf(address)), time))
                .toList();
    }
}
