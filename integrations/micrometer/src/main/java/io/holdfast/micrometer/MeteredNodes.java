package io.holdfast.micrometer;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.spi.RedisClients;
import io.holdfast.time.Time;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/**
 * A Redis client that measures the requests to its nodes: the timer {@code holdfast.node.requests} with the tags {@code
 * node} (host and port), {@code action} (acquire, extend, query, repair, release or retain) and {@code reply} (granted,
 * refused, stale, ahead, quarantined or failed). Give it to {@code Holdfast.connect}.
 *
 * <p>A request without a connection is measured as well; its reply is {@code failed}. Probes of quarantined nodes are
 * not measured. An exception from a filter is logged, and has no effect on the lock.
 *
 * <p>Thread-safe.
 */
public final class MeteredNodes implements NodeProvider {

    private final NodeProvider client;
    private final MeterRegistry registry;
    private final Tags tags;

    private MeteredNodes(NodeProvider client, MeterRegistry registry, Tags tags) {
        this.client = client;
        this.registry = registry;
        this.tags = tags;
    }

    /**
     * Measures the requests of the Redis client that is on the class path.
     *
     * @throws IllegalStateException if no Redis client on the class path works: add {@code holdfast-lettuce} or {@code
     *     holdfast-jedis}
     */
    public static MeteredNodes of(MeterRegistry registry) {
        return new MeteredNodes(RedisClients.find(), registry, Tags.empty());
    }

    /**
     * Measures the requests of one Redis client, such as {@code new JedisNodes()}.
     *
     * @param tags further tags of the timers, the same for all clients of this registry
     */
    public static MeteredNodes of(NodeProvider client, MeterRegistry registry, Iterable<Tag> tags) {
        return new MeteredNodes(client, registry, Tags.of(tags));
    }

    @Override
    public boolean supports(String scheme) {
        return client.supports(scheme);
    }

    @Override
    public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
        return client.connect(addresses, settings, time).stream()
                .<LockNode>map(node -> new MeteredNode(node, registry, tags))
                .toList();
    }
}
