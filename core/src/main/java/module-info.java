import io.holdfast.node.NodeProvider;

/**
 * Distributed locks. Only what a user or an adapter needs is exported; the algorithm in the other packages may change
 * at any time. {@code io.holdfast.node} and {@code io.holdfast.spi} are for adapters; users need the other packages.
 */
@SuppressWarnings("module") // The module that needs the batches is built later.
module io.holdfast.core {
    requires static transitive org.jspecify;

    exports io.holdfast;
    exports io.holdfast.admin;
    exports io.holdfast.event;
    exports io.holdfast.lease;
    exports io.holdfast.locks;
    exports io.holdfast.node;
    exports io.holdfast.node.batch to
            io.holdfast.redis;
    exports io.holdfast.node.memory;
    exports io.holdfast.record;
    exports io.holdfast.security;
    exports io.holdfast.spi;
    exports io.holdfast.time;

    uses NodeProvider;
}
