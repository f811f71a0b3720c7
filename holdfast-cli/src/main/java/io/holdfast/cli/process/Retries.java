package io.holdfast.cli.process;

import io.holdfast.cli.lock.RunLease;
import io.holdfast.cli.option.OnLost;
import io.holdfast.cli.output.Terminal;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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
     * Allows a retry after this delay if the lock is still held. After a loss another client may hold it, so the command
     * does not run again even if the user only wants a warning.
     */
    static Retries whileHeld(RunLease lease, Duration delay, OnLost onLost, Terminal terminal) {
        return () -> {
            try {
                lease.lossFuture().get(delay.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException isHeld) {
                if (lease.isValid()) {
                    return true;
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
            if (onLost == OnLost.WARN) {
                terminal.print("the command is not run again, because the lock is lost");
            }
            return false;
        };
    }
}
