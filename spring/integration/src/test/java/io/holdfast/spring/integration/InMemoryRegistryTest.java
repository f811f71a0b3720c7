package io.holdfast.spring.integration;

import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of registries in memory. */
class InMemoryRegistryTest extends RegistryContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

    InMemoryRegistryTest() {
        super(LOCKS);
    }
}
