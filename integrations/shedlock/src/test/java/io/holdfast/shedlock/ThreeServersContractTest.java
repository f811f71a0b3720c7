package io.holdfast.shedlock;

import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's contract on three servers. */
@Tag("server")
class ThreeServersContractTest extends ProviderContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.onServers(3);

    ThreeServersContractTest() {
        super(LOCKS);
    }
}
