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
 * One direction of one proxied connection. One thread takes whatever arrives, so that a sender never notices a hold and
 * each byte is delayed by itself; another one passes it on.
 */
final class Pump {

    private static final int CHUNK_BYTES = 16 * 1024;
    /** At most 64 MB wait; then the sender does. */
    private static final int MAX_CHUNKS = 4 * 1024;

    private final Direction direction;
    private final Socket from;
    private final Socket to;
    private final FaultSwitch faults;
    private final Runnable onSevered;
    private final Runnable onEnd;
    private final BlockingQueue<Chunk> waiting = new LinkedBlockingQueue<>(MAX_CHUNKS);
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Thread taker = daemon("take", this::takeAll);
    private final Thread passer = daemon("pass", this::passAll);

    /** {@code onEnd} runs once, when nothing more will be passed on; {@code onSevered} before, where that ends both directions. */
    Pump(Direction direction, Socket from, Socket to, FaultSwitch faults, Runnable onSevered, Runnable onEnd) {
        this.direction = direction;
        this.from = from;
        this.to = to;
        this.faults = faults;
        this.onSevered = onSevered;
        this.onEnd = onEnd;
    }

    void start() {
        taker.start();
        passer.start();
    }

    /** Drops what waits. The sockets have to be closed, too. */
    void stop() {
        taker.interrupt();
        passer.interrupt();
    }

    /** Bytes that have arrived and not been passed on. */
    long waitingBytes() {
        return waitingBytes.get();
    }

    private void takeAll() {
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

    /** A sender that resets the connection has ended it, too: what it sent before is still passed on. */
    private int read(byte[] buffer) {
        try {
            return from.getInputStream().read(buffer);
        } catch (IOException reset) {
            return -1;
        }
    }

    private void passAll() {
        try {
            Chunk chunk = waiting.take();
            while (!chunk.last()) {
                if (!faults.awaitPassage(direction, chunk.arrivedNanos())) {
                    onSevered.run();
                    return;
                }
                pass(chunk);
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

    private void pass(Chunk chunk) throws IOException {
        OutputStream out = to.getOutputStream();
        out.write(chunk.bytes().array());
        waitingBytes.addAndGet(-chunk.bytes().remaining());
    }

    private static Thread daemon(String verb, Runnable task) {
        Thread thread = new Thread(task, "fault-proxy-" + verb);
        thread.setDaemon(true);
        return thread;
    }

    /** What arrived at once; nothing at all when the sender has ended. */
    private record Chunk(ByteBuffer bytes, long arrivedNanos) {

        boolean last() {
            return !bytes.hasRemaining();
        }
    }
}
