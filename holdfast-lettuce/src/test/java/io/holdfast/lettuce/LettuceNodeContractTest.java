package io.holdfast.lettuce;

import io.holdfast.node.LockNode;
import io.holdfast.testkit.contract.LockNodeContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LettuceNodeContractTest extends LockNodeContract {

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
    protected void expireNow(String resourceName) {
        on.server().exec("DEL", resourceName);
    }
}
