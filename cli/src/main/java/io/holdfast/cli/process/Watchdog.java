package io.holdfast.cli.process;

import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.output.Terminal;
import io.holdfast.time.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Reports to the watchdog in {@code lib/guard} until when the lock is valid. The watchdog ends the command if this
 * process is killed or stopped, and so reports no later time.
 */
public final class Watchdog implements AutoCloseable {

    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final int REPORTS_PER_LEASE = 20;
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    private static final long MILLIS_PER_TICK = 10;

    /** The watchdog leaves this process some time to end the command itself. */
    private static final long MOST_DELAY_TICKS = 10;

    private static final Duration LEAST_HEAD_START = Duration.ofMillis(30);
    private static final Duration MOST_HEAD_START = Duration.ofMillis(250);
    private static final int PARTS_OF_MARGIN = 4;

    private final JointLease lease;
    private final Terminal terminal;
    private final String introduction;
    private final Duration pause;
    private final WatchdogPipe pipe = WatchdogPipe.open();
    private boolean isIntroduced;
    private boolean hasWarned;
    private long reported;
    private boolean isOver;
    private boolean isDone;

    private Watchdog(JointLease lease, CommandProcesses command, Duration pause, boolean isQuiet, Terminal terminal) {
        this.lease = lease;
        this.terminal = terminal;
        this.introduction = " " + command.description() + " " + Terminal.printable(lease.resource()) + "\n"
                + (isQuiet ? "quiet\n" : "");
        this.pause = pause;
    }

    /**
     * Returns how long before another client can hold the lock KILL is sent, to end the command by then: a quarter of
     * the margin, within bounds. To send a signal takes time, more of it on a busy machine.
     *
     * @param margin see {@link JointLease#lossMargin}
     */
    static Duration headStart(Duration margin) {
        Duration part = Durations.part(margin, PARTS_OF_MARGIN);
        return Durations.longer(LEAST_HEAD_START, Durations.shorter(part, MOST_HEAD_START));
    }

    /**
     * Sends the first report before it returns, and further ones after renewals.
     *
     * @param isQuiet whether the watchdog prints no message if it ends the command
     */
    public static Watchdog start(
            JointLease lease, CommandProcesses command, Duration leaseTime, boolean isQuiet, Terminal terminal) {
        Duration part = Durations.part(leaseTime, REPORTS_PER_LEASE);
        Watchdog watchdog = new Watchdog(lease, command, Durations.shorter(part, LONGEST_PAUSE), isQuiet, terminal);
        watchdog.report();
        Thread thread = new Thread(watchdog::run, "holdfast-watchdog");
        thread.setDaemon(true);
        thread.start();
        return watchdog;
    }

    /** Returns a watchdog that ends nothing. */
    public static Watchdog idle(JointLease lease, CommandProcesses command, Terminal terminal) {
        return new Watchdog(lease, command, LONGEST_PAUSE, false, terminal);
    }

    private synchronized void run() {
        try {
            while (!isOver) {
                wait(Math.max(1, pause.toMillis()));
                report();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void report() {
        if (isOver) {
            return;
        }
        // Read first: a pause between the two makes the times earlier.
        long now = uptimeTicks();
        long end = now + lease.remaining().toMillis() / MILLIS_PER_TICK;
        // A renewal has changed the end by more.
        if (end > reported + pause.toMillis() / MILLIS_PER_TICK) {
            long margin = lease.lossMargin().toMillis() / MILLIS_PER_TICK;
            long term = end - margin + Math.min(margin / PARTS_OF_MARGIN, MOST_DELAY_TICKS);
            long headStart = headStart(lease.lossMargin()).toMillis() / MILLIS_PER_TICK;
            if (deliver(term + " " + Math.max(term, end - headStart))) {
                reported = end;
            }
        }
    }

    /**
     * Reports these times, to another watchdog if the last one has ended, as at a limit of processes. Returns whether
     * there is one.
     */
    private boolean deliver(String times) {
        // Short lines: the watchdog reads them once in a lease, and a full pipe would stop this process.
        if (isIntroduced && pipe.write(times + "\n")) {
            return true;
        }
        isIntroduced = pipe.write(times + introduction) || deliverToAnother(times + introduction);
        return isIntroduced;
    }

    private boolean deliverToAnother(String first) {
        try {
            pipe.startAnother();
            hasWarned = false;
            return pipe.write(first);
        } catch (IOException unable) {
            if (!hasWarned) {
                terminal.print(
                        "the watchdog of this run has ended, and the system creates no other one; if this process is"
                                + " killed as well, the command runs on without the lock; raise `ulimit -u`, or"
                                + " TasksMax= of the systemd unit");
            }
            hasWarned = true;
            return false;
        }
    }

    private static long uptimeTicks() {
        try {
            String seconds = Files.readString(UPTIME);
            return Long.parseLong(seconds.substring(0, seconds.indexOf(' ')).replace(".", ""));
        } catch (IOException e) {
            return 0;
        }
    }

    /** Reports that the lock is lost and that this process ends the command. */
    synchronized void reportLoss() {
        if (!isOver) {
            isOver = true;
            pipe.write("lost\n");
        }
    }

    /** Reports that nothing is left to guard. After a loss, the watchdog would otherwise end this process. */
    public synchronized void stop() {
        if (!isDone) {
            isDone = true;
            isOver = true;
            notifyAll();
            pipe.write("done\n");
            pipe.wake();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
