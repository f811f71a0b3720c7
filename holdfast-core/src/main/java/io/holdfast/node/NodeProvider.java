package io.holdfast.node;

import io.holdfast.time.Time;
import java.net.URI;
import java.util.List;

/**
 * How {@code Holdfast.connect} finds a Redis client: an adapter registers one provider as a {@link java.util.ServiceLoader}
 * service.
 */
public interface NodeProvider {

    /** Whether the provider connects to addresses of this scheme, such as {@code redis} or {@code rediss}. */
    boolean supports(String scheme);

    /**
     * Begins to connect to all addresses and returns one node for each, in their order, waiting for the connections at most
     * for the connect timeout. A node that cannot be reached yet is returned all the same and goes on trying.
     *
     * @throws IllegalArgumentException if an address cannot be understood; the message names it without its password
     */
    List<LockNode> connect(List<URI> addresses, NodeSettings settings, Time time);
}
