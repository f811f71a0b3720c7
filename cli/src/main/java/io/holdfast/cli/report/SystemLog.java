package io.holdfast.cli.report;

import io.holdfast.cli.output.DurationText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.process.Executable;
import io.holdfast.cli.process.Launcher;
import io.holdfast.time.ThreadWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The system log, by the program logger(1), which util-linux and BusyBox contain. A thread of its own sends the
 * messages: a log daemon that is stopped must not delay the end of a command whose lock is lost.
 */
final class SystemLog implements ReportListener {

    /** The program hands a message over at once, unless the machine is very busy or the log daemon is stopped. */
    private static final long LIMIT_SECONDS = 10;

    /** The socket of the system log. Without it, the program of util-linux succeeds, and the message is lost. */
    private static final Path SOCKET = Path.of("/dev/log");

    private static final Set<String> SYSTEM_DIRECTORIES = Set.of("/bin", "/usr/bin");

    /** The time for which the end of a run waits for the last messages. */
    private static final Duration END_LIMIT = Duration.ofSeconds(2);

    private final ExecutorService sender = Executors.newSingleThreadExecutor(SystemLog::thread);
    private final String lock;
    private final Terminal terminal;
    private final String tag = "holdfast[" + Launcher.pid() + "]";
    private volatile boolean hasFailed;
    private boolean hasStarted;

    private SystemLog(String lock, Terminal terminal) {
        this.lock = lock;
        this.terminal = terminal;
    }

    /** Opens the log. When this process ends, it waits for the last messages for a short time. */
    static SystemLog open(String lock, Terminal terminal) {
        SystemLog log = new SystemLog(lock, terminal);
        Runtime.getRuntime().addShutdownHook(new Thread(log::drain, "holdfast-syslog-end"));
        return log;
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "holdfast-syslog");
        thread.setDaemon(true);
        return thread;
    }

    private void drain() {
        awaitSent();
        sender.shutdown();
    }

    /** Sends a message of Holdfast to the log. */
    void write(String message) {
        send("user.warning", message);
    }

    private void send(String priority, String message) {
        try {
            sender.execute(() -> log(priority, message));
        } catch (RejectedExecutionException ending) {
            // This process ends.
        } catch (OutOfMemoryError noThread) {
            // A warning would come here again.
            hasFailed = true;
        }
    }

    private void log(String priority, String message) {
        if (hasFailed) {
            return;
        }
        if (!Files.exists(SOCKET) && usesSocket()) {
            fail("finds no " + SOCKET + "; start a system log, such as rsyslog");
            return;
        }
        try {
            Process logger = start("logger", "-t", tag, "-p", priority, "--", Terminal.printable(message));
            if (!logger.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                logger.destroy();
                fail("does not end");
            } else if (logger.exitValue() != 0) {
                fail("ended with " + logger.exitValue());
            }
        } catch (IOException e) {
            fail("cannot be run; install util-linux or BusyBox");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the first program on the PATH is that of the system, which reports no missing socket. */
    private static boolean usesSocket() {
        Path program = Executable.find("logger");
        return program != null && SYSTEM_DIRECTORIES.contains(String.valueOf(program.getParent()));
    }

    private static Process start(String... words) throws IOException {
        Process process = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        return process;
    }

    /** Warns once, also a user who wants messages in the log only. */
    private void fail(String reason) {
        hasFailed = true;
        terminal.complain("warning: --syslog has no effect: the program `logger` " + reason);
    }

    /** Waits for a short time: the caller, such as systemd, may end all processes of a run with its launcher. */
    private void awaitSent() {
        try {
            // If the limit is over, the log daemon does not answer.
            ThreadWait.park(CompletableFuture.runAsync(() -> {}, sender), END_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void started(CommandReport start) {
        hasStarted = true;
        send(
                "user.info",
                "'" + lock + "' started after " + DurationText.measured(start.waited())
                        + (start.fence().isEmpty() ? ", WITHOUT the lock" : ", fence " + start.fence()));
    }

    @Override
    public void ended(CommandReport end) {
        sendEnd(end.outcome() == CommandReport.Outcome.SUCCESS ? "user.info" : "user.err", end);
    }

    @Override
    public void notRun(CommandReport attempt) {
        sendEnd("user.info", attempt);
    }

    private void sendEnd(String priority, CommandReport end) {
        send(
                priority,
                "'" + lock + "' "
                        + (hasStarted ? "ended after " + DurationText.measured(end.duration()) : "did not run") + ": "
                        + end.outcome().word() + ", exit code " + end.exitCode());
        awaitSent();
    }
}
