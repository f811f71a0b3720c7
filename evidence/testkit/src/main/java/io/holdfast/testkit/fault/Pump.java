package io.holdfast.testkit.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One direction of one proxied connection. One thread reads as soon as bytes arrive, so that the sender never notices
 * that they are held and each byte has its own delay; another thread passes them on.
 */
final class Pump {

    private static final int CHUNK_BYTES = 16 * 1024;
    /** At most 64 MB are buffered; then the sender is blocked. */
    private static final int MAX_CHUNKS = 4 * 1024;

    private final Direction direction;
    private final Socket from;
    private final Socket to;
    private final FaultSwitch faults;
    private final Runnable onSevered;
    private final Runnable onEnd;
    private final BlockingQueue<Chunk> waiting = new LinkedBlockingQueue<>(MAX_CHUNKS);
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Thread reader = daemon("read", this::readAll);
    private final Thread writer = daemon("write", this::writeAll);

    /**
     * Runs {@code onEnd} once, when nothing more will be passed on, and {@code onSevered} before it if both directions
     * must end.
     */
    Pump(Direction direction, Socket from, Socket to, FaultSwitch faults, Runnable onSevered, Runnable onEnd) {
        this.direction = direction;
        this.from = from;
        this.to = to;
        this.faults = faults;
        this.onSevered = onSevered;
        this.onEnd = onEnd;
    }

    void start() {
        reader.start();
        writer.start();
    }

    /** Discards the buffered bytes. The caller also has to close the sockets. */
    void stop() {
        reader.interrupt();
        writer.interrupt();
    }

    /** Returns the number of bytes that have arrived and were not passed on. */
    long waitingBytes() {
        return waitingBytes.get();
    }

    private void readAll() {
        byte[] buffer = new byte[CHUNK_BYTES];
        try {
            int count = 0;
            while (count >= 0) {
                count = read(buffer);
                waitingBytes.addAndGet(Math.max(0, count));
                byte[] content = Arrays.copyOf(buffer, Math.max(0, count));
                waiting.put(new Chunk(ByteBuffer.wrap(content), System.nanoTime()));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads bytes, or returns -1 at the end. A reset also counts as the end, so earlier bytes are still passed on. */
    private int read(byte[] buffer) {
        try {
            return from.getInputStream().read(buffer);
        } catch (IOException reset) {
            return -1;
        }
    }

    private void writeAll() {
        try {
            Chunk chunk = waiting.take();
            while (!chunk.last()) {
                if (!faults.awaitPassage(direction, chunk.arrivedNanos())) {
                    onSevered.run();
                    return;
                }
                write(chunk);
                chunk = waiting.take();
            }
            faults.awaitPassage(direction, chunk.arrivedNanos());
            to.shutdownOutput();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException receiverGone) {
            stop();
        } finally {
            onEnd.run();
        }
    }

    private void write(Chunk chunk) throws IOException {
        OutputStream out = to.getOutputStream();
        out.write(chunk.bytes().array());
        waitingBytes.addAndGet(-chunk.bytes().remaining());
    }

    private static Thread daemon(String task, Runnable body) {
        Thread thread = new Thread(body, "fault-proxy-" + task);
        thread.setDaemon(true);
        return thread;
    }

    /** Bytes that arrived together; empty at the end of the stream. */
    private record Chunk(ByteBuffer bytes, long arrivedNanos) {

        boolean last() {
            return !bytes.hasRemaining();
        }
    }
}
