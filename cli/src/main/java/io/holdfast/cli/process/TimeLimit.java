package io.holdfast.cli.process;

import io.holdfast.cli.option.ProgramOptions;
import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Terminal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The limit for a command's time. Sends TERM to a command that reaches it, and KILL some time later. */
public final class TimeLimit implements AutoCloseable {

    private final Duration limit;
    private final Duration killAfter;
    private final String lock;
    private final CommandProcesses command;
    private final Terminal terminal;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "holdfast-time-limit");
    private volatile boolean isReached;

    private TimeLimit(Duration limit, Duration killAfter, String lock, CommandProcesses command, Terminal terminal) {
        this.limit = limit;
        this.killAfter = killAfter;
        this.lock = lock;
        this.command = command;
        this.terminal = terminal;
    }

    /**
     * Starts to measure the time of a command that starts now; returns null if the options set no limit.
     *
     * @param lock the name of its lock for messages
     */
    public static @Nullable TimeLimit start(
            ProgramOptions options, String lock, CommandProcesses command, Terminal terminal) {
        if (options.timeout().isEmpty()) {
            return null;
        }
        TimeLimit limit = new TimeLimit(options.timeout().get(), options.killAfter(), lock, command, terminal);
        limit.thread.setDaemon(true);
        limit.thread.start();
        return limit;
    }

    private void run() {
        try {
            if (ended.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            isReached = true;
            command.terminate();
            terminal.print("the command of '" + lock + "' has run for " + DurationText.setting(limit)
                    + ", as long as --timeout allows; ending it");
            if (!ended.await(killAfter.toNanos(), TimeUnit.NANOSECONDS)) {
                command.signal("KILL");
                terminal.print("the command of '" + lock + "' has not ended " + DurationText.setting(killAfter)
                        + " after TERM; it receives KILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops to measure the time of a command that has ended. Returns whether it had reached the limit. */
    public static boolean stop(@Nullable TimeLimit limit) {
        if (limit == null) {
            return false;
        }
        limit.close();
        return limit.isReached;
    }

    /** Stops to measure the time. The messages have been printed then. */
    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
