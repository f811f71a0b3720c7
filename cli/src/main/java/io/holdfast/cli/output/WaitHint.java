package io.holdfast.cli.output;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockAdmin;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Names the holder of the lock to a person, once a command has waited for a second. Prints nothing to a log file. */
public final class WaitHint {

    private final LockAdmin admin;
    private final String name;
    private final Terminal terminal;
    private final CountDownLatch ended = new CountDownLatch(1);

    private WaitHint(LockAdmin admin, String name, Terminal terminal) {
        this.admin = admin;
        this.name = name;
        this.terminal = terminal;
    }

    /** Begins the wait for a lock. */
    public static WaitHint start(Holdfast holdfast, String name, Terminal terminal) {
        WaitHint hint = new WaitHint(holdfast.admin(), name, terminal);
        if (terminal.showsHints()) {
            Thread thread = new Thread(hint::show, "holdfast-wait-hint");
            thread.setDaemon(true);
            thread.start();
        }
        return hint;
    }

    private void show() {
        try {
            if (!ended.await(1, TimeUnit.SECONDS)) {
                String state = StatusText.line(admin.status(name));
                if (ended.getCount() > 0) {
                    terminal.hint("waiting: " + state);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The client was closed during the query, so the wait has ended.
        }
    }

    /** Ends the wait. */
    public void end() {
        ended.countDown();
    }
}
