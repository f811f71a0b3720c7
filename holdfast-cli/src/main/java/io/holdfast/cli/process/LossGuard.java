package io.holdfast.cli.process;

import io.holdfast.Lease;
import io.holdfast.cli.exit.ExitCode;
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
 * The reaction to a lost lock. Sends TERM to the command before another client can acquire the lock, and KILL at the
 * time when another client can.
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

    public static LossGuard start(Lease lease, Child child, OnLost onLost, Terminal terminal) {
        LossGuard guard = new LossGuard(lease, child, onLost, terminal);
        lease.onLost(guard::handle);
        return guard;
    }

    /** Ends the command or prints a warning; runs on its own thread, which may block. */
    private void handle(Loss loss) {
        if (onLost == OnLost.KILL) {
            terminal.print(loss + "; ending the command");
            child.signal("TERM");
            pause(grace(loss));
            child.signal("KILL");
        } else {
            terminal.print(loss + "; the command continues without it");
        }
        handled.complete(null);
    }

    /** Returns the time until another client can hold the lock, when the command must be dead. */
    private Duration grace(Loss loss) {
        Duration remaining = lease.lossMargin().minus(loss.overrun());
        return loss.reason() == LossReason.TAKEN || remaining.isNegative() ? Duration.ZERO : remaining;
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Holds the lock for this time after the command has ended, unless it is lost or a signal arrives. */
    public void holdFor(Duration duration) {
        if (!duration.isNegative() && !duration.isZero() && lease.state() != LeaseState.LOST) {
            terminal.detail("the command has ended; the lock is held for another " + duration.toMillis() + " ms");
            try {
                lease.lossFuture().get(duration.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException signalled) {
                terminal.detail("the lock is released early because of a signal");
            } catch (TimeoutException | ExecutionException elapsed) {
                terminal.detail("the lock was held for the minimum time");
            }
        }
    }

    /** Releases the lock after the command has ended. Returns the exit code: the command's, or 76 for a lost lock. */
    public int release(int childCode) {
        if (lease.state() == LeaseState.LOST) {
            handled.join();
            lease.release();
            return onLost == OnLost.KILL ? ExitCode.LOST : childCode;
        }
        ReleaseOutcome outcome = lease.release();
        terminal.detail("the command ended with " + childCode + "; the lock is " + outcome);
        if (outcome != ReleaseOutcome.NOT_HELD) {
            return childCode;
        }
        terminal.print("the lock on '" + lease.resource()
                + "' was gone before the command ended: another client removed it, or the servers lost their data");
        return onLost == OnLost.KILL ? ExitCode.LOST : childCode;
    }
}
