package io.holdfast.lettuce;

import io.holdfast.node.LockNode;
import io.holdfast.testkit.contract.LineContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LettuceLineContractTest extends LineContract {

    private static NodeOnServer on;

    @BeforeAll
    static void start() {
        on = new NodeOnServer();
    }

    @AfterAll
    static void stop() {
        on.close();
    }

    @Override
    protected LockNode node() {
        return on.node();
    }

    @Override
    protected void letTimePass(Duration duration) {
        on.letTimePass(duration);
    }

    @Override
    protected long clockMicros() {
        return on.clockMicros();
    }
}
