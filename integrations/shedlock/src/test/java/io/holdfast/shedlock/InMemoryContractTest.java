package io.holdfast.shedlock;

import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's contract in memory. Its tests sleep for up to some seconds. */
@Tag("slow")
@Tag("evidence")
class InMemoryContractTest extends ProviderContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

    InMemoryContractTest() {
        super(LOCKS);
    }
}
