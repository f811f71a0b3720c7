package io.holdfast.jedis;

import io.holdfast.testkit.contract.EssentialsContract;
import java.util.Optional;
import redis.clients.jedis.HostAndPort;

/** Runs with several versions of Jedis; the pom says which. */
class JedisEssentialsTest extends EssentialsContract {

    @Override
    protected Optional<String> clientVersion() {
        return JedisNodes.VERSION.found(HostAndPort.class);
    }
}
