import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeProvider;

/** Nodes over Lettuce, found by {@code Holdfast.connect}. */
module io.holdfast.lettuce {
    requires transitive io.holdfast.redis;
    requires static transitive org.jspecify;
    requires lettuce.core;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.resolver;
    requires io.netty.transport;

    exports io.holdfast.lettuce;

    provides NodeProvider with
            LettuceNodes;
}
