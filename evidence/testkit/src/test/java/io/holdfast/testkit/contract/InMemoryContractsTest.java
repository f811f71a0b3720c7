package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the contracts of all locks on in-memory nodes. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class InMemoryContractsTest {

    @AutoClose
    private static final InMemoryClients CLIENTS = new InMemoryClients();

    @Nested
    class Lock extends LockContract {
        @Override
        protected Holdfast connect(Size size) {
            return CLIENTS.connect(size);
        }
    }

    @Nested
    class Locks extends ComposedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return CLIENTS.connect(size);
        }
    }

    @Nested
    class LockOnBothSets extends LockContract {
        @Override
        protected Holdfast connect(Size size) {
            return CLIENTS.connectToBothSets(size);
        }
    }

    @Nested
    class LocksOnBothSets extends ComposedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return CLIENTS.connectToBothSets(size);
        }
    }

    @Nested
    class SharedLocks extends SharedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return CLIENTS.connect(size);
        }
    }
}
