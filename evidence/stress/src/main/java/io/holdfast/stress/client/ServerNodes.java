package io.holdfast.stress.client;

import io.holdfast.Holdfast;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.servers.RedisServers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;

/** Real servers on this machine. What is left on them is read with plain commands, without the library. */
public final class ServerNodes implements Nodes {

    private static final String FENCE = ":holdfast:fence";
    private static final String MARKER = "holdfast:marker";

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(COUNT, OPTIONS.maxLease()), false, OPTIONS.connectTimeout());

    private final RedisServers servers = RedisServers.start(COUNT);
    private final NodeProvider client;

    public ServerNodes(Type type) {
        this.client = type == Type.LETTUCE ? new LettuceNodes() : new JedisNodes();
    }

    @Override
    public Connected connect(long seed) {
        FailingTime time = new FailingTime();
        List<LockNode> nodes = client.connect(
                servers.addresses().stream().map(NodeAddress::parse).toList(), SETTINGS, time);
        return new Connected(Holdfast.over(nodes, OPTIONS, time, new Random(seed)), time::close);
    }

    @Override
    public List<String> leftovers(Collection<String> resources) {
        List<String> left = new ArrayList<>();
        servers.forEach(server -> {
            if (server.exec("KEYS", "*") instanceof List<?> keys) {
                keys.stream()
                        .map(String::valueOf)
                        .filter(key -> !key.endsWith(FENCE) && !key.equals(MARKER))
                        .forEach(key -> left.add("key " + key + " on " + server.port()));
            }
        });
        return left;
    }

    @Override
    public void close() {
        servers.close();
    }
}
