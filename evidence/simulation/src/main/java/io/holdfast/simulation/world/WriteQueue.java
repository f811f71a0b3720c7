package io.holdfast.simulation.world;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The messages that a client writes to one connection, one after another. A write takes a moment of the client's time.
 */
final class WriteQueue {

    /** The duration of one write. Claims that arrive meanwhile are written together. */
    private static final Duration WRITE = Duration.ofNanos(50_000);

    private final Time time;
    private final Deque<Runnable> unwritten = new ArrayDeque<>();
    private long freeAtNanos;

    WriteQueue(Time time) {
        this.time = time;
        this.freeAtNanos = time.now().nanos();
    }

    /** Writes a message after all earlier ones: at once, if none is being written. */
    void add(Runnable write) {
        if (unwritten.isEmpty() && left() <= 0) {
            run(write);
        } else {
            unwritten.add(write);
            if (unwritten.size() == 1) {
                time.schedule(Duration.ofNanos(Math.max(0, left())), this::next);
            }
        }
    }

    /** The message remains the first one while it is written, so that one that is added meanwhile sets no timer. */
    private void next() {
        run(unwritten.element());
        unwritten.remove();
        if (!unwritten.isEmpty()) {
            time.schedule(WRITE, this::next);
        }
    }

    private void run(Runnable write) {
        freeAtNanos = time.now().nanos() + WRITE.toNanos();
        write.run();
    }

    private long left() {
        return freeAtNanos - time.now().nanos();
    }
}
