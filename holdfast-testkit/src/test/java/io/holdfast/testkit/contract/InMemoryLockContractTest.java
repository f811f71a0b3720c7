package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import org.junit.jupiter.api.AfterAll;

class InMemoryLockContractTest extends LockContract {

    private static final InMemoryClients CLIENTS = new InMemoryClients();

    @Override
    protected Holdfast connect(Size size) {
        return CLIENTS.connect(size);
    }

    @AfterAll
    static void stopTime() {
        CLIENTS.close();
    }
}
