package io.holdfast.cli.process;

import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.output.Terminal;
import io.holdfast.time.ThreadWait;
import java.time.Duration;

/** Decides whether a command that has failed may run again. */
@FunctionalInterface
public interface Retries {

    /**
     * Waits until the attempt has left no process behind, and for the time between two attempts. Returns whether the
     * command may run again.
     */
    boolean mayRunAgain() throws InterruptedException;

    /** Allows each retry after this delay. */
    static Retries withoutLock(CommandProcesses command, Duration delay) {
        return () -> {
            while (!command.awaitEndOfAttempt(CommandProcesses.REST_PAUSE)) {
                // A process of the attempt would run beside the next one.
            }
            Thread.sleep(delay.toMillis());
            return true;
        };
    }

    /**
     * Allows a retry after this delay if the lock is still held. After a loss another client may hold it, so the
     * command does not run again even if the user only wants a warning.
     */
    static Retries whileHeld(
            JointLease lease, CommandProcesses command, Duration delay, OnLost onLost, Terminal terminal) {
        return () -> {
            if (!command.awaitEndOfAttempt(Duration.ZERO)) {
                terminal.detail("the command has failed; it runs again when the processes that it started have ended");
            }
            while (lease.isValid() && !command.awaitEndOfAttempt(CommandProcesses.REST_PAUSE)) {
                // The lease may be lost meanwhile.
            }
            if (!ThreadWait.park(lease.lossFuture(), delay) && lease.isValid()) {
                return true;
            }
            if (onLost == OnLost.WARN) {
                terminal.print("the command is not run again, because the lock is lost");
            }
            return false;
        };
    }
}
