package io.holdfast.reactor;

import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random cancellations on one server. */
@Tag("server")
@Tag("evidence")
class ServerCancellationTest extends CancellationContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.onServers(1);

    ServerCancellationTest() {
        super(LOCKS);
    }
}
