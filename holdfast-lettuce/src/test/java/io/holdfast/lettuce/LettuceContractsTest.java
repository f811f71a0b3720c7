package io.holdfast.lettuce;

import io.holdfast.Holdfast;
import io.holdfast.testkit.contract.LockContract;
import io.holdfast.testkit.contract.LocksContract;
import io.holdfast.testkit.contract.ServersBySize;
import io.holdfast.testkit.contract.SharedLocksContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** Locks of every kind on real servers. */
class LettuceContractsTest {

    private static final ServersBySize SERVERS = new ServersBySize();

    @AfterAll
    static void stop() {
        SERVERS.close();
    }

    @Nested
    class Lock extends LockContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class Locks extends LocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class SharedLocks extends SharedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }
}
