package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.NodeStatistics;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ten thousand waiters of one process whose limits expire at the same moment: how late they end, and at what cost for a
 * node. Beside them, in the same process, ten thousand threads that wait for nothing but that moment: the floor of this
 * machine.
 */
final class ManyWaiters {

    private static final int WAITERS = 10_000;

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final int ROUNDS = 2;

    private ManyWaiters() {}

    /** Prints a table. */
    static void run() throws InterruptedException {
        Tables.head(
                "N",
                "round",
                "waiters",
                "late, median",
                "late, 99 %",
                "late, longest",
                "CPU for each after the limit",
                "with LockTimeoutException",
                "scripts of a node in all",
                "commands of a node in all");
        for (int nodes : new int[] {1, 3}) {
            try (RedisServers servers = RedisServers.start(nodes);
                    Holdfast holder = ManyLeases.connect(servers);
                    Holdfast waiting = ManyLeases.connect(servers);
                    Lease held = holder.lock("busy").acquire()) {
                DistributedLock lock = waiting.lock("busy");
                // Round 0 runs code for the first time.
                for (int round = nodes == 1 ? 0 : 1; round <= ROUNDS; round++) {
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
        NodeStatistics before = NodeStatistics.of(servers.get(0));
        LateEnds ends = waits.run();
        NodeStatistics spent = NodeStatistics.of(servers.get(0)).since(before);
        if (round > 0) {
            Tables.row(
                    Integer.toString(nodes),
                    Integer.toString(round),
                    name,
                    ends.lateMillis(0.5) + " ms",
                    ends.lateMillis(0.99) + " ms",
                    ends.lateMillis(1) + " ms",
                    ends.cpuMicrosEach() + " µs",
                    Integer.toString(ends.timeouts()),
                    Long.toString(spent.scripts()),
                    Long.toString(spent.commands()));
        }
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
