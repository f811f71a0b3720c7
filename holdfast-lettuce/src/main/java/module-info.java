import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeProvider;

/** Nodes over Lettuce, found by {@code Holdfast.connect}. */
module io.holdfast.lettuce {
    requires transitive io.holdfast.redis;
    requires static transitive org.jspecify;
    requires lettuce.core;
    requires io.netty.common;

    exports io.holdfast.lettuce;

    provides NodeProvider with
            LettuceNodes;
}
