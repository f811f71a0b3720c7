package io.holdfast.testkit.contract;

import io.holdfast.node.LockNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;

final class InMemoryRetentionContractTest extends RetentionContract {

    private final VirtualTime time = new VirtualTime();
    private final InMemoryNode node = new InMemoryNode("memory", time);

    @Override
    protected LockNode node() {
        return node;
    }

    @Override
    protected long clockMicros() {
        return time.now().wallMicros();
    }

    @Override
    protected void letTimePass(Duration duration) {
        time.advance(duration);
    }
}
