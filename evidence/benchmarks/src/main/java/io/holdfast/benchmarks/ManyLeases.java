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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One process that holds very many leases and renews them every 10 s: the costs, and the number of lost leases. */
final class ManyLeases {

    private static final int LEASES = 100_000;
    private static final int MAX_PENDING = 256;
    private static final int RENEWAL_SECONDS = 10;

    private ManyLeases() {}

    /** Runs the scenario and prints a table. */
    static void run(int minutes) throws InterruptedException {
        System.out.println("| N | leases | held for | lost | heap for each | CPU of the client for each renewal"
                + " | CPU of a server for each renewal | scripts of a server for each renewal |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (int nodes : new int[] {1, 3}) {
            try (RedisServers servers = RedisServers.start(nodes)) {
                List<String> uris = servers.addresses();
                HoldfastOptions options = HoldfastOptions.builder()
                        .restarts(RestartPolicy.DURABLE)
                        .build();
                try (Holdfast holdfast = Holdfast.connect(uris, options)) {
                    hold(holdfast, servers, nodes, minutes);
                }
            }
        }
    }

    /** Measures only the heap, and prints a table. */
    static void heap() throws InterruptedException {
        Tables.head("N", "leases", "heap for each", "lost");
        for (int nodes : new int[] {1, 3}) {
            try (RedisServers servers = RedisServers.start(nodes);
                    Holdfast holdfast = Holdfast.connect(
                            servers.addresses(),
                            HoldfastOptions.builder()
                                    .restarts(RestartPolicy.DURABLE)
                                    .build())) {
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

    private static long lost(Lease[] leases) {
        return Arrays.stream(leases)
                .filter(lease -> lease.state() != LeaseState.HELD)
                .count();
    }

    private static void hold(Holdfast holdfast, RedisServers servers, int nodes, int minutes)
            throws InterruptedException {
        acquire(holdfast, "warm-up:", MAX_PENDING);
        long heapBefore = usedHeap();
        Lease[] leases = acquire(holdfast, "benchmark:", LEASES);
        // By then, every lease has been renewed once.
        TimeUnit.SECONDS.sleep(RENEWAL_SECONDS + 1);
        long heap = usedHeap() - heapBefore;
        long clientBefore = clientNanos();
        double serverBefore = serverSeconds(servers);
        long scriptsBefore = scripts(servers);
        TimeUnit.MINUTES.sleep(minutes);
        double renewals = (double) LEASES * minutes * 60 / RENEWAL_SECONDS;
        System.out.printf(
                "| %d | %d | %d min | %d | %d B | %.1f µs | %.1f µs | %.4f |%n",
                nodes,
                LEASES,
                minutes,
                lost(leases),
                heap / LEASES,
                (clientNanos() - clientBefore) / 1_000.0 / renewals,
                (serverSeconds(servers) - serverBefore) * 1_000_000 / renewals,
                (scripts(servers) - scriptsBefore) / renewals);
    }

    private static Lease[] acquire(Holdfast holdfast, String prefix, int count) throws InterruptedException {
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

    private static double serverSeconds(RedisServers servers) {
        return sum(servers, "CPU", "used_cpu_user:") + sum(servers, "CPU", "used_cpu_sys:");
    }

    /** Returns the number of scripts that the first server has run. */
    static long scripts(RedisServers servers) {
        return (long) sum(servers, "COMMANDSTATS", "cmdstat_evalsha:calls=");
    }

    /** Returns the sum of a field in the statistics of the first server. */
    private static double sum(RedisServers servers, String section, String field) {
        return String.valueOf(servers.get(0).exec("INFO", section))
                .lines()
                .filter(line -> line.startsWith(field))
                .mapToDouble(line ->
                        Double.parseDouble(line.substring(field.length()).split(",", 2)[0]))
                .sum();
    }
}
