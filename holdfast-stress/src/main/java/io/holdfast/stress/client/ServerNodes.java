package io.holdfast.stress.client;

import io.holdfast.Holdfast;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeProvider;
import io.holdfast.servers.RedisServers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Real servers on this machine. What is left on them is read with plain commands, without the library. */
public final class ServerNodes implements Nodes {

    private static final String FENCE = ":holdfast:fence";
    private static final String MARKER = "holdfast:marker";

    private final RedisServers servers = RedisServers.start(COUNT);
    private final NodeProvider client;

    public ServerNodes(Type type) {
        this.client = type == Type.LETTUCE ? new LettuceNodes() : new JedisNodes();
    }

    @Override
    public Connected connect(long seed) {
        return new Connected(Holdfast.connect(servers.addresses(), OPTIONS, client), () -> {});
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
