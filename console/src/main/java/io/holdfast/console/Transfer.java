package io.holdfast.console;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * A request and its answer, which a client sends and receives. One thread waits for the client, and another one sees
 * when it has been blocked for too long.
 */
final class Transfer {

    /** Progress is seen after so many bytes. */
    private static final int PART = 64 * 1_024;

    private final Thread thread;
    private boolean isBlocked;
    private long began;

    Transfer(Thread thread) {
        this.thread = thread;
    }

    /** From now on the client is waited for. */
    synchronized void begin() {
        isBlocked = true;
        began = System.nanoTime();
    }

    /** From now on the client is not waited for. */
    synchronized void end() {
        isBlocked = false;
    }

    void write(OutputStream out, byte[] bytes) throws IOException {
        for (int from = 0; from < bytes.length; from += PART) {
            begin();
            out.write(bytes, from, Math.min(PART, bytes.length - from));
        }
        out.flush();
    }

    /** An interrupt closes the channel at which the thread is blocked. */
    synchronized void endIfSlow(Duration limit) {
        if (isBlocked && System.nanoTime() - began > limit.toNanos()) {
            thread.interrupt();
        }
    }
}
