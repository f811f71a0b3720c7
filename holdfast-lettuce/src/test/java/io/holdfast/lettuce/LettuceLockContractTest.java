package io.holdfast.lettuce;

import io.holdfast.Holdfast;
import io.holdfast.testkit.contract.LockContract;
import org.junit.jupiter.api.AfterAll;

class LettuceLockContractTest extends LockContract {

    private static final ServersBySize SERVERS = new ServersBySize();

    @AfterAll
    static void stop() {
        SERVERS.close();
    }

    @Override
    protected Holdfast connect(Size size) {
        return SERVERS.connect(size);
    }
}
