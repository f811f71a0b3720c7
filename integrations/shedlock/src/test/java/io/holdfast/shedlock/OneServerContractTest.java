package io.holdfast.shedlock;

import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's contract on one server. */
@Tag("server")
@Tag("evidence")
class OneServerContractTest extends ProviderContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.onServers(1);

    OneServerContractTest() {
        super(LOCKS);
    }
}
