package io.holdfast.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A process with a thread for each processor that computes without a pause, as other programs of a machine do. */
final class BusyLoops {

    /** Ends the process if that which started it does not. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Process process;

    /** Returns when the process runs. */
    BusyLoops() {
        try {
            process = new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java",
                            "-Xmx32m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            BusyLoops.class.getName())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.getInputStream().read() < 0) {
                throw new IOException("The process of the busy loops has ended; its error is above");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Computes until the limit. */
    public static void main(String[] arguments) {
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            new Thread(() -> loop(end)).start();
        }
        System.out.println();
    }

    @SuppressWarnings("EmptyBlock") // It has to do nothing, for as long as it may.
    private static void loop(long end) {
        while (end - System.nanoTime() > 0) {}
    }

    void close() {
        process.destroyForcibly();
    }
}
