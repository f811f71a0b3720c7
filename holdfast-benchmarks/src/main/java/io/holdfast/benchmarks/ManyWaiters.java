package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.RestartPolicy;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Ten thousand threads of one process wait for a lock, and their limits expire together: how late they learn it, and at what cost. */
final class ManyWaiters {

    private static final int WAITERS = 10_000;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private ManyWaiters() {}

    /** Prints a table. */
    static void run() throws InterruptedException {
        System.out.println("| N | waiters | limit | last one ends after its limit by | with LockTimeoutException"
                + " | scripts of a node in all |");
        System.out.println("|---|---|---|---|---|---|");
        for (int nodes : new int[] {1, 3}) {
            HoldfastOptions options = HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();
            try (RedisServers servers = RedisServers.start(nodes);
                    Holdfast holder = Holdfast.connect(servers.addresses(), options);
                    Holdfast waiting = Holdfast.connect(servers.addresses(), options);
                    Lease held = holder.lock("busy").acquire()) {
                new Expiry(waiting.lock("busy", LockOptions.builder().waitLimit(LIMIT).build())).run(servers, nodes);
                if (!held.state().isValid()) {
                    throw new IllegalStateException("the holder has lost the lock");
                }
            }
        }
    }

    /** What happened to the waiters of one lock. */
    private static final class Expiry {

        private final DistributedLock lock;
        private final AtomicLong latestNanos = new AtomicLong();
        private final AtomicInteger timeouts = new AtomicInteger();

        Expiry(DistributedLock lock) {
            this.lock = lock;
        }

        void run(RedisServers servers, int nodes) throws InterruptedException {
            long before = ManyLeases.scripts(servers);
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                Thread thread = new Thread(null, () -> await(start), "waiter-" + i, 1 << 16);
                threads.add(thread);
                thread.start();
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.printf(
                    "| %d | %d | %d s | %d ms | %d | %d |%n",
                    nodes,
                    WAITERS,
                    LIMIT.toSeconds(),
                    latestNanos.get() / 1_000_000,
                    timeouts.get(),
                    ManyLeases.scripts(servers) - before);
        }

        private void await(CountDownLatch start) {
            try {
                start.await();
                long begun = System.nanoTime();
                try {
                    lock.acquire().close();
                } catch (LockTimeoutException held) {
                    timeouts.incrementAndGet();
                } catch (HoldfastException other) {
                    // It is missing in the count.
                }
                latestNanos.accumulateAndGet(System.nanoTime() - begun - LIMIT.toNanos(), Math::max);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
