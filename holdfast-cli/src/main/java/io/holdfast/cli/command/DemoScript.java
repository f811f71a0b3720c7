package io.holdfast.cli.command;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Workers contend for one lock while servers fail, each with connections of its own, and somebody counts who is inside. */
final class DemoScript implements AutoCloseable {

    private static final int NODES = 3;
    private static final List<String> WORKERS = List.of("A", "B", "C");
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final HoldfastOptions NODE_OPTIONS = HoldfastOptions.builder().maxLease(LEASE).build();
    private static final LockOptions LOCK_OPTIONS =
            LockOptions.builder().lease(LEASE).unreachableLimit(LockOptions.FOREVER).build();
    private static final Duration SHORT_HOLD = Duration.ofMillis(300);
    private static final Duration UNTIL_LOST = Duration.ofMinutes(1);
    private static final Duration SCENE = Duration.ofSeconds(2);

    private final RedisServers servers;
    private final Consumer<String> audience;
    private final List<Holdfast> clients = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    /** One permit for each time that somebody begins to hold the lock. */
    private final Semaphore begun = new Semaphore(0);

    private volatile Duration hold = SHORT_HOLD;
    private int inside;
    private int holds;
    private long first;
    private long last;
    private boolean wrong;

    private DemoScript(RedisServers servers, Consumer<String> audience) {
        this.servers = servers;
        this.audience = audience;
    }

    /** Starts the servers and the workers. */
    static DemoScript begin(Consumer<String> audience) {
        DemoScript demo = new DemoScript(RedisServers.start(NODES), audience);
        List<String> addresses = demo.servers.addresses();
        WORKERS.forEach(name -> demo.clients.add(Holdfast.connect(addresses, NODE_OPTIONS)));
        // They are new, and have nothing to forget.
        demo.clients.get(0).admin().admit();
        audience.accept("three redis-servers, and three workers who want one lock, each for 0.3 s");
        for (int i = 0; i < WORKERS.size(); i++) {
            String name = WORKERS.get(i);
            Holdfast client = demo.clients.get(i);
            Thread worker = new Thread(() -> demo.work(name, client), "holdfast-demo-" + name);
            demo.workers.add(worker);
            worker.start();
        }
        return demo;
    }

    /** One failure after the other; returns whether never two held the lock at a time, and all tokens grew. */
    boolean play() throws InterruptedException {
        pause();
        audience.accept("-- a server is killed: the other two are a majority");
        servers.get(0).kill();
        pause();
        untilLost();
        audience.accept("-- another one is frozen: one of three is no majority, so nobody may hold the lock");
        servers.get(1).freeze();
        pause();
        hold = SHORT_HOLD;
        audience.accept("-- it is thawed");
        servers.get(1).thaw();
        pause();
        audience.accept("-- the killed one is back without its data: it will not vote until it cannot matter any more");
        servers.get(0).restartEmpty();
        pause();
        return summary();
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(SCENE.toMillis());
    }

    /** Waits for one who holds the lock for as long as it can. */
    private void untilLost() throws InterruptedException {
        hold = UNTIL_LOST;
        begun.drainPermits();
        begun.acquire();
    }

    private void work(String name, Holdfast client) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try (Lease lease = client.lock("demo", LOCK_OPTIONS).acquire()) {
                    hold(name, lease);
                }
            }
        } catch (InterruptedException isOver) {
            Thread.currentThread().interrupt();
        }
    }

    private void hold(String name, Lease lease) throws InterruptedException {
        Duration duration = hold;
        enter(name, lease.fencingToken().value());
        try {
            lease.lossFuture().get(duration.toMillis(), TimeUnit.MILLISECONDS);
            leave();
            audience.accept("worker " + name + " is told that it lost the lock, "
                    + lease.lossMargin().toMillis() + " ms before another could have it, and stops");
        } catch (TimeoutException | ExecutionException isHeldStill) {
            leave();
        }
    }

    private synchronized void enter(String name, long fence) {
        audience.accept("worker " + name + " holds the lock, fencing token " + fence);
        wrong |= inside > 0 || fence <= last;
        inside++;
        holds++;
        first = holds == 1 ? fence : first;
        last = fence;
        begun.release();
    }

    private synchronized void leave() {
        inside--;
    }

    private synchronized boolean summary() {
        audience.accept(
                wrong
                        ? "two held the lock at a time, or a token did not grow: a defect of Holdfast, please report it"
                        : "held " + holds + " times, never by two at a time, with tokens that only grew, from " + first
                                + " to " + last);
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
