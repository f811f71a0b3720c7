package io.holdfast.jedis;

import io.holdfast.Holdfast;
import io.holdfast.testkit.contract.AddressContract;
import io.holdfast.testkit.contract.BatchContract;
import io.holdfast.testkit.contract.ConnectionContract;
import io.holdfast.testkit.contract.LockContract;
import io.holdfast.testkit.contract.MissingFieldsContract;
import io.holdfast.testkit.contract.NamedServerContract;
import io.holdfast.testkit.contract.ServersBySize;
import io.holdfast.testkit.contract.ShortageContract;
import io.holdfast.testkit.contract.TlsContract;
import io.holdfast.testkit.contract.UnfitServerContract;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contracts that depend on the client the most; {@link JedisContractsTest} has all. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class JedisShortContractsTest {

    @AutoClose
    private static final ServersBySize SERVERS = new ServersBySize();

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
    class Batches extends BatchContract {}

    @Nested
    class Tls extends TlsContract {}
}
