package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.RestartPolicy;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ten thousand waiters of one process whose limits expire at the same moment: how late they end, and at what cost for a node. Beside them, in the
 * same process, ten thousand threads that wait for nothing but that moment: the floor of this machine.
 */
final class ManyWaiters {

    private static final int WAITERS = 10_000;

    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** Round 0 runs code for the first time. */
    private static final int ROUNDS = 4;

    private ManyWaiters() {}

    /** Prints a table. */
    static void run() throws InterruptedException {
        System.out.println(
                "| N | round | who | half of them end after the limit by | the last one | CPU for each after the limit | with LockTimeoutException"
                        + " | scripts of a node in all |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (int nodes : new int[] {1, 3}) {
            HoldfastOptions options =
                    HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();
            try (RedisServers servers = RedisServers.start(nodes);
                    Holdfast holder = Holdfast.connect(servers.addresses(), options);
                    Holdfast waiting = Holdfast.connect(servers.addresses(), options);
                    Lease held = holder.lock("busy").acquire()) {
                DistributedLock lock = waiting.lock("busy");
                for (int round = 0; round < ROUNDS; round++) {
                    measure(nodes, round, "threads, no lock", ManyWaiters::parkThreads, servers);
                    measure(nodes, round, "threads, acquire", () -> acquire(lock), servers);
                    measure(nodes, round, "acquireAsync", () -> acquireAsync(lock), servers);
                }
                if (!held.state().isValid()) {
                    throw new IllegalStateException("the holder has lost the lock");
                }
            }
        }
    }

    /** Lets ten thousand wait until their limit. */
    private interface Waits {
        LateEnds run() throws InterruptedException;
    }

    private static void measure(int nodes, int round, String name, Waits waits, RedisServers servers)
            throws InterruptedException {
        long before = ManyLeases.scripts(servers);
        LateEnds ends = waits.run();
        long scripts = ManyLeases.scripts(servers) - before;
        System.out.printf(
                "| %d | %d | %s | %d ms | %d ms | %d µs | %d | %d |%n",
                nodes,
                round,
                name,
                ends.medianMillis(),
                ends.lastMillis(),
                ends.cpuMicrosEach(),
                ends.timeouts(),
                scripts);
    }

    private static LateEnds parkThreads() throws InterruptedException {
        return LateEnds.ofThreads(WAITERS, LIMIT, limitNanos -> {
            try {
                new CompletableFuture<Void>().get(limitNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                return false;
            } catch (TimeoutException expected) {
                return true;
            }
        });
    }

    private static LateEnds acquire(DistributedLock lock) throws InterruptedException {
        return LateEnds.ofThreads(WAITERS, LIMIT, limitNanos -> {
            try {
                lock.acquire(left(limitNanos)).close();
                return false;
            } catch (LockTimeoutException expected) {
                return true;
            }
        });
    }

    private static LateEnds acquireAsync(DistributedLock lock) throws InterruptedException {
        LateEnds ends = new LateEnds(WAITERS);
        long limitNanos = ends.begin(LIMIT);
        for (int i = 0; i < WAITERS; i++) {
            lock.acquireAsync(LockOptions.builder().waitLimit(left(limitNanos)).build())
                    .whenComplete((lease, failure) -> ends.end(failure instanceof LockTimeoutException));
        }
        ends.await();
        return ends;
    }

    private static Duration left(long limitNanos) {
        return Duration.ofNanos(Math.max(1, limitNanos - System.nanoTime()));
    }
}
