package io.holdfast.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.lease.LeaseState;
import io.holdfast.servers.RedisServers;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The heap of one process that holds very many leases and renews them every 10 s. */
final class ManyLeases {

    private static final int LEASES = 100_000;
    private static final int MAX_PENDING = 256;
    private static final int RENEWAL_SECONDS = 10;

    private ManyLeases() {}

    /** Runs the scenario and prints a table. */
    static void heap() throws InterruptedException {
        Tables.head("N", "leases", "heap for each", "lost");
        for (int nodes : new int[] {1, 3}) {
            try (RedisServers servers = RedisServers.start(nodes);
                    Holdfast holdfast = connect(servers)) {
                acquire(holdfast, "warm-up:", MAX_PENDING);
                long heapBefore = usedHeap();
                Lease[] leases = acquire(holdfast, "benchmark:", LEASES);
                // By then, every lease has been renewed once.
                TimeUnit.SECONDS.sleep(RENEWAL_SECONDS + 1);
                long heap = usedHeap() - heapBefore;
                Tables.row(
                        Integer.toString(nodes),
                        Integer.toString(LEASES),
                        heap / LEASES + " B",
                        Long.toString(lost(leases)));
            }
        }
    }

    /** Connects a client to the nodes, which vote at once. */
    static Holdfast connect(RedisServers servers) {
        return Holdfast.connect(
                servers.addresses(),
                HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build());
    }

    static long lost(Lease[] leases) {
        return Arrays.stream(leases)
                .filter(lease -> lease.state() != LeaseState.HELD)
                .count();
    }

    static Lease[] acquire(Holdfast holdfast, String prefix, int count) throws InterruptedException {
        Lease[] leases = new Lease[count];
        Semaphore free = new Semaphore(MAX_PENDING);
        for (int i = 0; i < count; i++) {
            int index = i;
            free.acquire();
            CompletableFuture<Lease> pending =
                    holdfast.lock(prefix + i, LockOptions.DEFAULT).acquireAsync();
            pending.whenComplete((lease, failure) -> {
                leases[index] = lease;
                free.release();
            });
        }
        free.acquire(MAX_PENDING);
        return leases;
    }

    private static long usedHeap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    static long clientNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
