package io.holdfast.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Makes thread starts fail in a process that has the {@link #environment}, as they do at the system's limit. Requires a
 * C compiler and Linux.
 */
public final class ThreadStarts {

    private final Preload preload;

    private ThreadStarts(Preload preload) {
        this.preload = preload;
    }

    /** Returns true if this machine supports it. */
    public static boolean isAvailable() {
        return Preload.isAvailable();
    }

    /**
     * Prepares a process whose thread starts succeed initially.
     *
     * @param directory the directory for its files
     */
    public static ThreadStarts in(Path directory) {
        try {
            return new ThreadStarts(Preload.library(directory, "threads", "HOLDFAST_THREADS"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a library in " + directory, e);
        }
    }

    /** Returns the environment variables of the process. */
    public Map<String, String> environment() {
        return preload.environment();
    }

    /** Makes all thread starts of the process fail until {@link #recover} is called. */
    public void fail() {
        set(1);
    }

    /** Lets threads start again. */
    public void recover() {
        set(0);
    }

    private void set(long failing) {
        try {
            preload.set(failing);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
