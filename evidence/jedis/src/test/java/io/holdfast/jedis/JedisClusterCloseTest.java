package io.holdfast.jedis;

import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.testkit.contract.ClusterCloseContract;
import io.holdfast.time.Time;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class JedisClusterCloseTest extends ClusterCloseContract {

    @Override
    protected Function<ServerAddress, RedisConnector> client(NodeSettings settings, Time time) {
        return address -> new JedisConnector(address, settings, settings.security(), time);
    }
}
