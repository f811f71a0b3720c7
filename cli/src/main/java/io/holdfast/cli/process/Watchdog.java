package io.holdfast.cli.process;

import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.output.Terminal;
import io.holdfast.time.Durations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the watchdog in {@code lib/guard} until when the lock is valid. The watchdog ends the command if this
 * process is killed or stopped, and so reports no later time.
 */
public final class Watchdog implements AutoCloseable {

    /** The system property with the pipe to the watchdog. */
    private static final String PROPERTY = "holdfast.watchdog";

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
    private String suffix;
    private final Duration pause;
    private final @Nullable OutputStream pipe;
    private long reported;
    private boolean isOver;
    private boolean isDone;

    private Watchdog(JointLease lease, CommandProcesses command, Duration pause, @Nullable OutputStream pipe) {
        this.lease = lease;
        this.suffix = " " + command.description() + " " + Terminal.printable(lease.resource()) + "\n";
        this.pause = pause;
        this.pipe = pipe;
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

    /** Sends the first report before it returns, and further ones after renewals. */
    public static Watchdog start(JointLease lease, CommandProcesses command, Duration leaseTime) {
        Duration part = Durations.part(leaseTime, REPORTS_PER_LEASE);
        Watchdog watchdog =
                new Watchdog(lease, command, part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE, open());
        watchdog.report();
        Thread thread = new Thread(watchdog::run, "holdfast-watchdog");
        thread.setDaemon(true);
        thread.start();
        return watchdog;
    }

    /** Returns a watchdog that ends nothing. */
    public static Watchdog idle(JointLease lease, CommandProcesses command) {
        return new Watchdog(lease, command, LONGEST_PAUSE, open());
    }

    private static @Nullable OutputStream open() {
        String pipe = System.getProperty(PROPERTY);
        try {
            return pipe == null ? null : Files.newOutputStream(Path.of(pipe), StandardOpenOption.WRITE);
        } catch (IOException noWatchdog) {
            return null;
        }
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
            reported = end;
            long margin = lease.lossMargin().toMillis() / MILLIS_PER_TICK;
            long term = end - margin + Math.min(margin / PARTS_OF_MARGIN, MOST_DELAY_TICKS);
            long headStart = headStart(lease.lossMargin()).toMillis() / MILLIS_PER_TICK;
            write(term + " " + Math.max(term, end - headStart) + suffix);
            // Short lines: the watchdog reads them once in a lease, and a full pipe would stop this process.
            suffix = "\n";
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
            write("lost\n");
        }
    }

    /** Makes the watchdog print no message if it ends the command. */
    public synchronized void silence() {
        write("quiet\n");
    }

    /** Reports that nothing is left to guard. After a loss, the watchdog would otherwise end this process. */
    public synchronized void stop() {
        if (!isDone) {
            isDone = true;
            isOver = true;
            notifyAll();
            write("done\n");
        }
    }

    @Override
    public void close() {
        stop();
    }

    private void write(String line) {
        try {
            if (pipe != null) {
                pipe.write(line.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException noWatchdog) {
            // The lock is held all the same.
        }
    }
}
