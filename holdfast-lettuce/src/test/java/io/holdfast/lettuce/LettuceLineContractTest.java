package io.holdfast.lettuce;

import io.holdfast.LockOptions;
import io.holdfast.node.Fleet;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeTerms;
import io.holdfast.testkit.Eventually;
import io.holdfast.testkit.RedisServer;
import io.holdfast.testkit.contract.LineContract;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LettuceLineContractTest extends LineContract {

    private static final SystemTime TIME = new SystemTime();
    private static final NodeTerms TERMS =
            new NodeTerms(new Fleet(1, LockOptions.MAX_LEASE), true, Duration.ofSeconds(2));
    private static RedisServer server;
    private static LockNode node;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        node = new LettuceNodes().connect(List.of(server.uri()), TERMS, TIME).get(0);
    }

    @AfterAll
    static void stop() {
        node.close();
        server.close();
        TIME.close();
    }

    @Override
    protected LockNode node() {
        return node;
    }

    @Override
    protected void letTimePass(Duration duration) {
        long end = serverMillis() + duration.toMillis();
        Eventually.eventually("the server's clock has moved on", () -> serverMillis() > end);
    }

    private static long serverMillis() {
        List<?> time = (List<?>) Objects.requireNonNull(server.exec("TIME"));
        return Long.parseLong((String) time.get(0)) * 1_000 + Long.parseLong((String) time.get(1)) / 1_000;
    }

    @Override
    protected long clockMicros() {
        return serverMillis() * 1_000;
    }
}
