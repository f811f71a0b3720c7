package io.holdfast.testkit.contract;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.time.Time;
import java.net.URI;
import java.util.List;
import java.util.ServiceLoader;

/** The Redis client on the class path. */
final class ClientUnderTest {

    private ClientUnderTest() {}

    static LockNode connect(URI uri, NodeSettings terms, Time time) {
        return ServiceLoader.load(NodeProvider.class)
                .findFirst()
                .orElseThrow()
                .connect(List.of(uri), terms, time)
                .get(0);
    }
}
