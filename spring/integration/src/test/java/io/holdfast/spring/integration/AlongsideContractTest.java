package io.holdfast.spring.integration;

import io.holdfast.servers.PatientOptions;
import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of a registry alongside another one, in memory. The registry that it contends with has migrated. */
class AlongsideContractTest extends RegistryContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

    AlongsideContractTest() {
        super(
                LOCKS,
                registry -> registry.alongside(new HoldfastLockRegistry(LOCKS.holdfast(), "old", PatientOptions.LOCK)));
    }
}
