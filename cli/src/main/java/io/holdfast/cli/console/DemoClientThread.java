package io.holdfast.cli.console;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A client of the demonstration, with its own connections and its own thread. A killed one leaves its locks on the
 * servers, as a process that dies does, and begins again some seconds later. Thread-safe.
 */
final class DemoClientThread {

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

    private final String name;
    private final List<String> addresses;
    private final HoldfastOptions options;
    private final Work work;
    private final Duration pauseAfterKill;
    private final Thread thread;
    private volatile String state = "starting";
    private volatile CountDownLatch kill = new CountDownLatch(1);
    private volatile boolean isClosed;

    /** The work that a client repeats. */
    @FunctionalInterface
    interface Work {

        void run(DemoClientThread self, Holdfast client) throws InterruptedException;
    }

    DemoClientThread(String name, List<String> addresses, HoldfastOptions options, Work work, Duration pauseAfterKill) {
        this.name = name;
        this.addresses = addresses;
        this.options = options.toBuilder().name(name).build();
        this.work = work;
        this.pauseAfterKill = pauseAfterKill;
        this.thread = new Thread(this::run, "holdfast-demo-" + name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    String name() {
        return name;
    }

    String state() {
        return state;
    }

    void show(String newState) {
        state = newState;
    }

    /** Kills the client: it releases nothing any more. */
    void kill() {
        kill.countDown();
        thread.interrupt();
    }

    boolean isKilled() {
        return kill.getCount() == 0;
    }

    private void run() {
        while (!isClosed) {
            try (Holdfast client = Holdfast.connect(addresses, options)) {
                while (!isClosed && !isKilled()) {
                    attempt(client);
                }
            } catch (RuntimeException unusable) {
                show("refused");
                rest(PAUSE_AFTER_FAILURE);
            }
            if (isKilled()) {
                show("killed");
                rest(pauseAfterKill);
                kill = new CountDownLatch(1);
            }
        }
    }

    private void attempt(Holdfast client) {
        try {
            work.run(this, client);
        } catch (InterruptedException killed) {
            // The interrupt is the kill. What was held is left to the servers, and the client begins again later.
        } catch (RuntimeException refused) {
            show("refused");
            rest(PAUSE_AFTER_FAILURE);
        }
    }

    /** Waits for this time, which another kill does not change; ends at once if the client is closed. */
    private void rest(Duration time) {
        Thread.interrupted();
        long began = System.nanoTime();
        for (long left = time.toNanos(); left > 0 && !isClosed; left = time.toNanos() - (System.nanoTime() - began)) {
            try {
                TimeUnit.NANOSECONDS.sleep(left);
            } catch (InterruptedException again) {
                // A kill of a client that rests, or its end, which the loop sees.
            }
        }
    }

    /**
     * Waits for this time.
     *
     * @throws InterruptedException if the client is killed
     */
    void pause(Duration time) throws InterruptedException {
        if (kill.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("killed");
        }
    }

    /** Holds a lock for this time, and releases it, unless the client is killed or the lock is lost meanwhile. */
    void hold(Lease lease, Duration time) throws InterruptedException {
        state = "holds " + lease.resource();
        try {
            pause(time);
        } finally {
            end(lease);
        }
    }

    /** Releases the lock; if the client was killed, leaves it to its servers, and extends it no more. */
    void end(Lease lease) {
        if (isKilled() && lease.isValid()) {
            lease.detach();
        } else {
            lease.close();
        }
        state = "idle";
    }

    void close() throws InterruptedException {
        isClosed = true;
        kill();
        thread.join();
    }
}
