package io.holdfast.testkit.contract;

import io.holdfast.node.LockNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** Runs the contracts of a node on an in-memory node. */
class InMemoryNodeContractsTest {

    /** A new node in virtual time. */
    private static final class InMemory implements TestedNode {

        private final VirtualTime time = new VirtualTime();
        private final InMemoryNode node;

        InMemory(boolean guarded) {
            this.node = guarded ? InMemoryNode.guarded("memory", time) : new InMemoryNode("memory", time);
        }

        @Override
        public LockNode node() {
            return node;
        }

        @Override
        public long clockMicros() {
            return time.now().wallMicros();
        }

        @Override
        public void letTimePass(Duration duration) {
            time.advance(duration);
        }

        @Override
        public void expireNow(String resource) {
            node.evict(resource);
        }

        @Override
        public void startQuarantine() {
            time.advance(Duration.ofSeconds(1));
            node.restart(true);
        }
    }

    @Nested
    class Claims extends LockNodeContract {
        Claims() {
            super(new InMemory(false));
        }
    }

    @Nested
    class Repairs extends RepairContract {
        Repairs() {
            super(new InMemory(false));
        }
    }

    @Nested
    class Retention extends RetentionContract {
        Retention() {
            super(new InMemory(false));
        }
    }

    @Nested
    class Records extends RecordContract {
        Records() {
            super(new InMemory(false));
        }
    }

    @Nested
    class ForgottenRecords extends ForgottenRecordContract {
        ForgottenRecords() {
            super(new InMemory(true));
        }
    }

    @Nested
    class WaitQueue extends StandingClaimContract {
        WaitQueue() {
            super(new InMemory(false));
        }
    }
}
