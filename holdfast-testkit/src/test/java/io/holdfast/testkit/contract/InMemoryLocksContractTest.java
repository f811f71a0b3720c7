package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import org.junit.jupiter.api.AfterAll;

class InMemoryLocksContractTest extends LocksContract {

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
