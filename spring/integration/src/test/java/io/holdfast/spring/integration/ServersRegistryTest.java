package io.holdfast.spring.integration;

import io.holdfast.test.HoldfastExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of registries on three servers. */
@Tag("server")
class ServersRegistryTest extends RegistryContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.onServers(3);

    ServersRegistryTest() {
        super(LOCKS);
    }
}
