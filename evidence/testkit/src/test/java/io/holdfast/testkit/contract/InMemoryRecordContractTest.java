package io.holdfast.testkit.contract;

import io.holdfast.node.LockNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;

final class InMemoryRecordContractTest extends RecordContract {

    private final VirtualTime time = new VirtualTime();
    private final InMemoryNode node = new InMemoryNode("memory", time);

    @Override
    protected LockNode node() {
        return node;
    }

    @Override
    protected void letTimePass(Duration duration) {
        time.advance(duration);
    }
}
