package io.holdfast.cli.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The pipe to the watchdog: to that of {@code lib/guard}, or to another one that this process has started. Not
 * thread-safe.
 */
final class WatchdogPipe {

    /** The system property with the pipe to the watchdog of the guard. */
    private static final String PROPERTY = "holdfast.watchdog";

    private @Nullable OutputStream pipe;
    private @Nullable Process another;

    private WatchdogPipe(@Nullable OutputStream pipe) {
        this.pipe = pipe;
    }

    /** Opens the pipe to the watchdog of the guard; without a guard, all lines are discarded. */
    static WatchdogPipe open() {
        String pipe = System.getProperty(PROPERTY);
        try {
            return new WatchdogPipe(
                    pipe == null
                            ? OutputStream.nullOutputStream()
                            : Files.newOutputStream(Path.of(pipe), StandardOpenOption.WRITE));
        } catch (IOException hasEnded) {
            return new WatchdogPipe(null);
        }
    }

    /** Writes the line, and returns whether there is a watchdog that can read it. */
    boolean write(String line) {
        if (pipe == null) {
            return false;
        }
        try {
            pipe.write(line.getBytes(StandardCharsets.UTF_8));
            pipe.flush();
            return true;
        } catch (IOException hasEnded) {
            pipe = null;
            return false;
        }
    }

    /**
     * Starts another watchdog in place of one that has ended.
     *
     * @throws IOException if the system creates no process
     */
    void startAnother() throws IOException {
        Path guard = Path.of(System.getProperty("java.class.path")).resolveSibling("guard");
        try {
            Process started = new ProcessBuilder("/bin/sh", guard.toString(), "watch", Long.toString(Launcher.pid()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            another = started;
            pipe = started.getOutputStream();
        } catch (OutOfMemoryError noThread) {
            throw new IOException(noThread);
        }
    }

    /** Makes the watchdog read the lines at once. The guard does so for its own when this process ends. */
    void wake() {
        if (another != null) {
            another.destroy();
        }
    }
}
