package io.holdfast.spring.boot;

import io.holdfast.node.NodeProvider;

/** Wraps the Redis client, so that the requests to nodes can be observed. For beans. */
@FunctionalInterface
public interface NodeDecorator {

    /** Returns a Redis client that delegates to this one; called once, when the client is created. */
    NodeProvider decorate(NodeProvider client);
}
