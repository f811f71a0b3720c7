package io.holdfast.testkit.contract;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.time.Time;
import java.net.URI;
import java.util.List;
import java.util.ServiceLoader;

/** Connects with the Redis client that is on the class path. */
final class ClientUnderTest {

    private ClientUnderTest() {}

    static LockNode connect(URI uri, NodeSettings settings, Time time) {
        return ServiceLoader.load(NodeProvider.class)
                .findFirst()
                .orElseThrow()
                .connect(List.of(NodeAddress.parse(uri.toString())), settings, time)
                .get(0);
    }
}
