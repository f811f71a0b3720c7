package io.holdfast.lettuce;

import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.testkit.contract.ClusterCloseContract;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class LettuceClusterCloseTest extends ClusterCloseContract {

    private final LettuceClient lettuce =
            new LettuceClient(Duration.ofSeconds(2), ConnectionSecurity.DEFAULT, new VirtualTime());

    @Override
    protected Function<ServerAddress, RedisConnector> client(NodeSettings settings, Time time) {
        return address -> new LettuceConnector(lettuce, address, settings, settings.security(), time);
    }

    @AfterEach
    void stop() {
        lettuce.leave();
    }
}
