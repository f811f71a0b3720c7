package io.holdfast.cli.output;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Shows the holder of the lock on an interactive terminal while the command waits. Prints nothing to a log file. */
public final class WaitProgress {

    private final LockAdmin admin;
    private final String name;
    private final Terminal terminal;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::show, "holdfast-wait-progress");

    private WaitProgress(LockAdmin admin, String name, Terminal terminal) {
        this.admin = admin;
        this.name = name;
        this.terminal = terminal;
    }

    /** Starts to show the progress if stderr is an interactive terminal. */
    public static WaitProgress start(Holdfast holdfast, String name, Terminal terminal) {
        WaitProgress progress = new WaitProgress(holdfast.admin(), name, terminal);
        if (Terminal.isInteractive()) {
            progress.thread.setDaemon(true);
            progress.thread.start();
        }
        return progress;
    }

    private void show() {
        try {
            for (long seconds = 1; !ended.await(1, TimeUnit.SECONDS); seconds++) {
                LockStatus status = admin.status(name);
                if (ended.getCount() > 0) {
                    terminal.printProgress("waiting for " + seconds + " s: " + StatusText.line(status));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The client was closed during the query, so the wait has ended.
        }
    }

    /** Stops, and removes the progress line. */
    public void end() {
        ended.countDown();
        terminal.clearProgress();
    }
}
