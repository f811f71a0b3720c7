package io.holdfast.testkit.contract;

import io.holdfast.node.LockNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;

final class InMemoryForgottenRecordContractTest extends ForgottenRecordContract {

    private final VirtualTime time = new VirtualTime();
    private final InMemoryNode node = InMemoryNode.guarded("memory", time);

    @Override
    protected LockNode node() {
        return node;
    }

    @Override
    protected void startQuarantine() {
        time.advance(Duration.ofSeconds(1));
        node.restart(true);
    }

    @Override
    protected long clockMicros() {
        return time.now().wallMicros();
    }
}
