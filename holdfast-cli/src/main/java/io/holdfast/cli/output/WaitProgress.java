package io.holdfast.cli.output;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells a person at a terminal who is in the way, as long as the command waits. A log file is told nothing. */
public final class WaitProgress {

    private final LockAdmin admin;
    private final String name;
    private final Terminal terminal;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread = new Thread(this::tell, "holdfast-waiting-line");

    private WaitProgress(LockAdmin admin, String name, Terminal terminal) {
        this.admin = admin;
        this.name = name;
        this.terminal = terminal;
    }

    /** Begins, unless nobody looks. */
    public static WaitProgress begin(Holdfast holdfast, String name, Terminal terminal) {
        WaitProgress line = new WaitProgress(holdfast.admin(), name, terminal);
        if (Terminal.isPerson()) {
            line.thread.setDaemon(true);
            line.thread.start();
        }
        return line;
    }

    private void tell() {
        try {
            for (long seconds = 1; !over.await(1, TimeUnit.SECONDS); seconds++) {
                LockStatus status = admin.status(name);
                if (over.getCount() > 0) {
                    terminal.overwrite("waiting for " + seconds + " s: " + StatusText.line(status));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // It closes while it is asked: there is nobody to tell.
        }
    }

    /** Leaves nothing on the screen. */
    public void end() {
        over.countDown();
        terminal.endOverwriting();
    }
}
