package io.holdfast.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A stream of events to one viewer. One thread writes, and others see when it has been blocked for too long. */
final class EventStream {

    /** A viewer who has not received an event for this time is dropped. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Thread writer;
    private boolean isWriting;
    private long began;

    EventStream(Thread writer) {
        this.writer = writer;
    }

    void write(OutputStream out, String events) throws IOException {
        begin();
        try {
            out.write(events.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        isWriting = true;
        began = System.nanoTime();
    }

    private synchronized void end() {
        isWriting = false;
    }

    /** An interrupt closes the channel to which the thread writes. */
    synchronized void endIfSlow() {
        if (isWriting && System.nanoTime() - began > SLOW_NANOS) {
            writer.interrupt();
        }
    }
}
