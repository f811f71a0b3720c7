package io.holdfast.jedis;

import io.holdfast.testkit.contract.EssentialsContract;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import redis.clients.jedis.HostAndPort;

/** The essential contract, which the pom runs with several versions of Jedis. */
@Tag("server")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class JedisEssentialsTest extends EssentialsContract {

    @Override
    protected Optional<String> clientVersion() {
        return JedisNodes.VERSION.found(HostAndPort.class);
    }
}
