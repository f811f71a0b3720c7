package io.holdfast.cli.demo;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** The demonstration: workers, each with its own connections, contend for one lock while servers fail. */
final class DemoScript implements AutoCloseable {

    private static final int NODES = 3;
    private static final List<String> WORKERS = List.of("A", "B", "C");
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final HoldfastOptions NODE_OPTIONS =
            HoldfastOptions.builder().maxLease(LEASE).build();
    private static final LockOptions LOCK_OPTIONS =
            LockOptions.builder().lease(LEASE).waitLimit(LockOptions.FOREVER).build();
    private static final Duration SHORT_HOLD = Duration.ofMillis(300);
    private static final Duration UNTIL_LOST = Duration.ofMinutes(1);
    private static final Duration SCENE = Duration.ofSeconds(2);

    private final RedisServers servers;
    private final Consumer<DemoEvent> output;
    private final List<Holdfast> clients = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    /** Contains one permit for each time that a worker has acquired the lock. */
    private final Semaphore acquisitions = new Semaphore(0);

    private volatile Duration hold = SHORT_HOLD;
    private int holders;
    private int holds;
    private long first;
    private long last;
    private boolean wrong;

    private DemoScript(RedisServers servers, Consumer<DemoEvent> output) {
        this.servers = servers;
        this.output = output;
    }

    /** Starts the servers and the workers. */
    static DemoScript start(Consumer<DemoEvent> output) {
        DemoScript demo = new DemoScript(RedisServers.start(NODES), output);
        List<String> addresses = demo.servers.addresses();
        WORKERS.forEach(name -> demo.clients.add(Holdfast.connect(addresses, NODE_OPTIONS)));
        // The servers are new and have no lock to forget.
        demo.clients.get(0).admin().admit();
        output.accept(DemoEvent.of(
                "three redis-servers, and three workers that contend for one lock and hold it for 0.3 s each"));
        for (int i = 0; i < WORKERS.size(); i++) {
            String name = WORKERS.get(i);
            Holdfast client = demo.clients.get(i);
            Thread worker = new Thread(() -> demo.work(name, client), "holdfast-demo-" + name);
            demo.workers.add(worker);
            worker.start();
        }
        return demo;
    }

    /** Plays all failures. Returns true if no two workers held the lock at a time and all fencing tokens increased. */
    boolean play() throws InterruptedException {
        pause();
        output.accept(DemoEvent.ofServer(1, "killed", "a server is killed: the other two are a majority"));
        servers.get(0).kill();
        pause();
        holdUntilLost();
        output.accept(DemoEvent.ofServer(
                2, "frozen", "another one is frozen: one of three is no majority, so the lock cannot be held"));
        servers.get(1).freeze();
        pause();
        hold = SHORT_HOLD;
        output.accept(DemoEvent.ofServer(2, "thawed", "the frozen server is thawed"));
        servers.get(1).thaw();
        pause();
        output.accept(DemoEvent.ofServer(
                1,
                "restarted",
                "the killed server is back without its data: it does not vote until its former leases have ended"));
        servers.get(0).restartEmpty();
        pause();
        return summary();
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(SCENE.toMillis());
    }

    /** Makes the next holder hold the lock until it is lost, and waits for that holder. */
    private void holdUntilLost() throws InterruptedException {
        hold = UNTIL_LOST;
        acquisitions.drainPermits();
        acquisitions.acquire();
    }

    private void work(String name, Holdfast client) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try (Lease lease = client.lock("demo", LOCK_OPTIONS).acquire()) {
                    hold(name, lease);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void hold(String name, Lease lease) throws InterruptedException {
        Duration duration = hold;
        enter(name, lease.fencingToken().value());
        boolean isLost = ThreadWait.park(lease.lossFuture(), duration);
        leave(name, isLost, lease.lossMargin());
    }

    private synchronized void enter(String name, long fence) {
        output.accept(DemoEvent.ofWorker(name, "holds", "holds the lock, fencing token " + fence));
        wrong |= holders > 0 || fence <= last;
        holders++;
        holds++;
        first = holds == 1 ? fence : first;
        last = fence;
        acquisitions.release();
    }

    private synchronized void leave(String name, boolean isLost, Duration lossMargin) {
        holders--;
        output.accept(
                isLost
                        ? DemoEvent.ofWorker(
                                name,
                                "lost",
                                "is notified that it lost the lock, " + lossMargin.toMillis()
                                        + " ms before another could acquire it, and stops")
                        : DemoEvent.ofWorker(name, "ends", ""));
    }

    private synchronized boolean summary() {
        output.accept(DemoEvent.of(
                wrong
                        ? "two workers held the lock at a time, or a token did not increase: please report this defect"
                        : "held " + holds + " times, never by two at a time, with increasing tokens, from " + first
                                + " to " + last));
        return !wrong;
    }

    @Override
    public void close() {
        workers.forEach(Thread::interrupt);
        try {
            for (Thread worker : workers) {
                worker.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clients.forEach(Holdfast::close);
        servers.close();
    }
}
