package io.holdfast.testkit.fault;

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
        return new ThreadStarts(Preload.library(directory, "threads", "HOLDFAST_THREADS"));
    }

    /** Returns the environment variables of the process. */
    public Map<String, String> environment() {
        return preload.environment();
    }

    /** Makes all thread starts of the process fail until {@link #recover} is called. */
    public void fail() {
        preload.set(1);
    }

    /** Lets threads start again. */
    public void recover() {
        preload.set(0);
    }
}
