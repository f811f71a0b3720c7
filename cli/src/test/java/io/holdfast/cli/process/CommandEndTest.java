package io.holdfast.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.output.LossText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandEndTest {

    private static final int LOST = 76;

    private final VirtualTime time = new VirtualTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal = new Terminal(new PrintStream(err, true, UTF_8));

    /** No renewal has found the loss before the command ended. */
    @ParameterizedTest
    @CsvSource({"KILL, 76", "WARN, 3"})
    void release_lockRemovedMeanwhile_isALoss(OnLost onLost, int code) {
        CommandEnd end = end(onLost);
        node.evict("report");

        assertThat(end.release(3, LOST)).isEqualTo(code);
        assertThat(end.wasLost()).isTrue();
        assertThat(err.toString(UTF_8))
                .isEqualTo("holdfast: the lock on 'report' was gone before the command ended: another client removed"
                        + " it, or the servers lost their data\n");
    }

    @Test
    void release_heldLock_returnsTheCodeOfTheCommand() {
        CommandEnd end = end(OnLost.KILL);

        assertThat(end.release(3, LOST)).isEqualTo(3);
        assertThat(end.wasLost()).isFalse();
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    /** The rest of a minimum time passes in real time. */
    @Test
    void holdFor_restOfTheMinimumTime_holdsTheLockForIt() {
        terminal.showLog(true);
        CommandEnd end = end(OnLost.KILL);

        end.holdFor(Duration.ofMillis(1), LockOptions.DEFAULT.lease());

        assertThat(err.toString(UTF_8)).contains("the lock was held for the minimum time");
        assertThat(node.ownerOf("report")).isNotNull();
        assertThat(end.release(3, LOST)).isEqualTo(3);
        assertThat(node.ownerOf("report")).isNull();
    }

    private CommandEnd end(OnLost onLost) {
        CompletableFuture<Lease> acquired = holdfast.lock("report").acquireAsync();
        time.settle();
        Lease lease = acquired.join();
        JointLease held = new JointLease(List.of(lease));
        CommandProcesses command = new CommandProcesses(
                ProcessHandle.current().pid(), 0, -1, 0, lease.owner().token());
        LossGuard guard = LossGuard.start(
                held,
                command,
                Watchdog.idle(held, command, terminal),
                onLost,
                new LossText(holdfast.admin()),
                terminal);
        return new CommandEnd(held, command, guard, terminal);
    }
}
