package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** The contracts that depend on the Redis client the most; {@link RedisClientContract} has all. */
public abstract class ClientSpecificContract {

    static final ServersBySize SERVERS = new ServersBySize();

    @AfterAll
    static void closeServers() {
        SERVERS.close();
    }

    @Nested
    class Lock extends LockContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class Connection extends ConnectionContract {}

    @Nested
    class UnfitServer extends UnfitServerContract {}

    @Nested
    class MissingFields extends MissingFieldsContract {}

    @Nested
    class Addresses extends AddressContract {}

    @Nested
    class NamedServers extends NamedServerContract {}

    @Nested
    class Shortage extends ShortageContract {}

    @Nested
    class Tls extends TlsContract {}
}
