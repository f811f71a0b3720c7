package io.holdfast.cli.process;

import io.holdfast.Lease;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.output.Terminal;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Watches the lock for the command that runs under it. When the lock is lost it asks the command to end before another can
 * hold the lock, and insists when another can.
 */
public final class LossGuard {

    private final Lease lease;
    private final Child child;
    private final OnLost onLost;
    private final Terminal terminal;
    private final CompletableFuture<Void> handled = new CompletableFuture<>();

    private LossGuard(Lease lease, Child child, OnLost onLost, Terminal terminal) {
        this.lease = lease;
        this.child = child;
        this.onLost = onLost;
        this.terminal = terminal;
    }

    public static LossGuard watch(Lease lease, Child child, OnLost onLost, Terminal terminal) {
        LossGuard guard = new LossGuard(lease, child, onLost, terminal);
        lease.onLost(guard::lost);
        return guard;
    }

    /** Runs on a thread of its own, which may wait. */
    private void lost(Loss loss) {
        if (onLost == OnLost.KILL) {
            terminal.print(loss + "; ending the command");
            child.signal("TERM");
            pause(grace(loss));
            child.signal("KILL");
        } else {
            terminal.print(loss + "; the command goes on without it");
        }
        handled.complete(null);
    }

    /** The validity's rest, so that nothing of the command is alive when another may hold the lock. */
    private Duration grace(Loss loss) {
        Duration left = lease.lossMargin().minus(loss.overrun());
        return loss.reason() == LossReason.TAKEN || left.isNegative() ? Duration.ZERO : left;
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps the lock for a while after the command has ended, unless it is lost or a signal ends this. */
    public void keepFor(Duration rest) {
        if (!rest.isNegative() && !rest.isZero() && lease.state() != LeaseState.LOST) {
            terminal.detail("the command has ended; the lock is kept for " + rest.toMillis() + " ms more");
            try {
                lease.lossFuture().get(rest.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException signalled) {
                terminal.detail("the lock is given up earlier, as a signal says");
            } catch (TimeoutException | ExecutionException isOver) {
                terminal.detail("the lock was kept as long as it should be");
            }
        }
    }

    /** Gives the lock up once the command has ended; returns its exit code, or the one that says that the lock was lost. */
    public int release(int childsOwn) {
        if (lease.state() == LeaseState.LOST) {
            handled.join();
            lease.release();
            return onLost == OnLost.KILL ? ExitCode.LOST : childsOwn;
        }
        ReleaseOutcome outcome = lease.release();
        terminal.detail("the command ended with " + childsOwn + "; the lock is " + outcome);
        if (outcome != ReleaseOutcome.NOT_HELD) {
            return childsOwn;
        }
        terminal.print("the lock on '" + lease.resource()
                + "' was gone before the command ended: somebody removed it, or the servers lost their memory");
        return onLost == OnLost.KILL ? ExitCode.LOST : childsOwn;
    }
}
