package io.holdfast.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The starts of threads in a process that gets the {@link #environment}: the system can be made to refuse them, as it does at a limit
 * of processes. Needs a C compiler and Linux.
 */
public final class ThreadStarts {

    private final Preload shim;

    private ThreadStarts(Preload shim) {
        this.shim = shim;
    }

    /** Whether this machine can do it. */
    public static boolean isAvailable() {
        return Preload.isAvailable();
    }

    /**
     * Starts that succeed, until they fail.
     *
     * @param directory where its files are kept
     */
    public static ThreadStarts in(Path directory) {
        try {
            return new ThreadStarts(Preload.library(directory, "threads", "HOLDFAST_THREADS"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a library in " + directory, e);
        }
    }

    /** What the process is started with. */
    public Map<String, String> environment() {
        return shim.environment();
    }

    /** From now on, the process starts no thread until {@link #recover}. */
    public void fail() {
        set(1);
    }

    /** Threads start again. */
    public void recover() {
        set(0);
    }

    private void set(long failing) {
        try {
            shim.set(failing);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
