package io.holdfast.cli.process;

import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.output.Terminal;
import io.holdfast.time.ThreadWait;
import java.time.Duration;

/** Decides whether a command that has failed may run again. */
@FunctionalInterface
public interface Retries {

    /** Waits for the time between two attempts. Returns whether the command may run again. */
    boolean mayRunAgain() throws InterruptedException;

    /** Allows each retry after this delay. */
    static Retries withoutLock(Duration delay) {
        return () -> {
            Thread.sleep(delay.toMillis());
            return true;
        };
    }

    /**
     * Allows a retry after this delay if the lock is still held. After a loss another client may hold it, so the
     * command does not run again even if the user only wants a warning.
     */
    static Retries whileHeld(JointLease lease, Duration delay, OnLost onLost, Terminal terminal) {
        return () -> {
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
