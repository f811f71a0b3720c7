package io.holdfast.cli.process;

import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.output.LossText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The reaction to a lost lock. Sends TERM to the command before another client can acquire the lock, and KILL so long
 * before that time that the command is dead by then.
 */
public final class LossGuard {

    private final JointLease lease;
    private final CommandProcesses command;
    private final Watchdog watchdog;
    private final OnLost onLost;
    private final LossText text;
    private final Terminal terminal;
    private final CompletableFuture<Void> handled = new CompletableFuture<>();
    private volatile boolean isOver;

    private LossGuard(
            JointLease lease,
            CommandProcesses command,
            Watchdog watchdog,
            OnLost onLost,
            LossText text,
            Terminal terminal) {
        this.lease = lease;
        this.command = command;
        this.watchdog = watchdog;
        this.onLost = onLost;
        this.text = text;
        this.terminal = terminal;
    }

    /** Reacts to a loss of the lease from now on. */
    public static LossGuard start(
            JointLease lease,
            CommandProcesses command,
            Watchdog watchdog,
            OnLost onLost,
            LossText text,
            Terminal terminal) {
        LossGuard guard = new LossGuard(lease, command, watchdog, onLost, text, terminal);
        lease.onLost(guard::handle);
        return guard;
    }

    /** Ends the command or prints a warning; runs on its own thread, which may block. */
    private void handle(Loss loss) {
        try {
            react(loss);
        } finally {
            handled.complete(null);
        }
    }

    private void react(Loss loss) {
        if (isOver) {
            terminal.detail("the lock was lost after the command had ended");
        } else if (onLost == OnLost.KILL) {
            watchdog.reportLoss();
            long start = System.nanoTime();
            command.terminate();
            terminal.print(text.of(loss, grace(loss)) + "; ending the command");
            pause(grace(loss).minusNanos(System.nanoTime() - start));
            command.signal("KILL");
        } else {
            terminal.print(text.of(loss, grace(loss)) + "; the command continues without it");
        }
    }

    /** Returns the time until KILL: when another client can hold the lock, the command must be dead. */
    private Duration grace(Loss loss) {
        Duration margin = lease.lossMargin();
        Duration remaining = margin.minus(loss.overrun()).minus(Watchdog.headStart(margin));
        return loss.reason() == LossReason.TAKEN || remaining.isNegative() ? Duration.ZERO : remaining;
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(Math.max(0, duration.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records that the command has ended while the lock was held, so that a later loss concerns no command. */
    void end() {
        isOver = true;
    }

    /** Returns whether the command ended while the lock was held. */
    boolean hasEnded() {
        return isOver;
    }

    /** Waits until the reaction to a loss is complete. */
    void awaitReaction() {
        ThreadWait.join(ThreadWait::park, handled);
    }

    /**
     * Returns the exit code of a run whose lock was lost: this one, or the command's if the user only wants a warning.
     */
    int exitCode(int commandCode, int lostCode) {
        return onLost == OnLost.KILL ? lostCode : commandCode;
    }
}
