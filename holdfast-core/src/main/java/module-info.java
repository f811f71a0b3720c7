import io.holdfast.node.NodeProvider;

/** Distributed locks. The quorum package, which is the algorithm, is not exported: it may change at any time. */
module io.holdfast.core {
    requires static transitive org.jspecify;

    exports io.holdfast;
    exports io.holdfast.event;
    exports io.holdfast.locks;
    exports io.holdfast.node;
    exports io.holdfast.time;

    uses NodeProvider;
}
