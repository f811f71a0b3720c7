package io.holdfast.spi;

import io.holdfast.client.NodeProviders;
import io.holdfast.node.NodeProvider;

/** The Redis clients on the class path, for providers that wrap one of them. */
public final class RedisClients {

    private RedisClients() {}

    /**
     * Returns a provider that connects with the first Redis client that supports all addresses, as {@code
     * Holdfast.connect} does. Finds clients from each thread, such as one of the common pool, whose context class
     * loader may not see the application.
     *
     * @throws IllegalStateException if no Redis client on the class path works; the message names the remedy
     */
    public static NodeProvider find() {
        return NodeProviders.find();
    }
}
