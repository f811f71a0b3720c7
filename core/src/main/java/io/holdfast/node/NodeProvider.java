package io.holdfast.node;

import io.holdfast.time.Time;
import java.util.List;

/**
 * The service through which {@code Holdfast.connect} finds a Redis client. An adapter registers one provider with
 * {@link java.util.ServiceLoader}. Implementations are thread-safe.
 */
public interface NodeProvider {

    /**
     * Returns {@code true} if the provider connects to addresses of this scheme, such as {@code redis} or
     * {@code rediss}.
     */
    boolean supports(String scheme);

    /**
     * Connects to all addresses and returns one node for each, in their order. Blocks until all are connected, at most
     * for the connect timeout. A node that cannot be reached yet is returned as well and retries in the background.
     *
     * @param time the clocks and timers that the nodes use
     * @throws IllegalArgumentException if an address is invalid; the message names it without its password
     */
    List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time);
}
