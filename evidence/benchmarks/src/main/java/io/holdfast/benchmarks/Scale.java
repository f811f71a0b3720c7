package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.benchmarks.figures.Figures;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.NodeStatistics;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.servers.RespClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The cost of held locks and of idle connections for a node, and for another client. */
final class Scale {

    private static final int CYCLES = 3_000;
    /** Two renewals of each lease. */
    private static final int MEASURED_SECONDS = 20;

    private static final Duration REPLY_LIMIT = Duration.ofMinutes(1);
    private static final double MICROS = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private Scale() {}

    /** Holds locks of one client, which renews each of them every 10 s, and prints a table. */
    static void held() throws InterruptedException {
        Tables.head(
                "N",
                "locks",
                "memory of a node for each",
                "after the release",
                "CPU of a node",
                "CPU of the client",
                "scripts of a node per second",
                "acquire by another client, median",
                "lost");
        for (int nodes : new int[] {1, 5}) {
            for (int locks : new int[] {0, 1_000, 10_000, 100_000}) {
                try (RedisServers servers = RedisServers.start(nodes);
                        Holdfast holding = ManyLeases.connect(servers);
                        Holdfast other = ManyLeases.connect(servers)) {
                    hold(nodes, locks, servers.get(0), holding, other);
                }
            }
        }
    }

    private static void hold(int nodes, int locks, RedisServer node, Holdfast holding, Holdfast other)
            throws InterruptedException {
        median(holding);
        double empty = memory(node);
        Lease[] leases = ManyLeases.acquire(holding, "held:", locks);
        double full = memory(node);
        NodeStatistics before = NodeStatistics.of(node);
        long clientBefore = ManyLeases.clientNanos();
        TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
        NodeStatistics spent = NodeStatistics.of(node).since(before);
        long client = ManyLeases.clientNanos() - clientBefore;
        double median = median(other);
        long lost = ManyLeases.lost(leases);
        for (Lease lease : leases) {
            lease.release();
        }
        Tables.row(
                Integer.toString(nodes),
                Integer.toString(locks),
                locks == 0 ? Tables.NONE : Tables.number("%.0f B", (full - empty) / locks),
                locks == 0 ? Tables.NONE : Tables.number("%.0f B", (memory(node) - empty) / locks),
                percent(spent.cpuMicros() / MICROS),
                percent(client / 1e9),
                Tables.number("%.0f", spent.scripts() / (double) MEASURED_SECONDS),
                Tables.number("%.0f µs", median),
                Long.toString(lost));
    }

    /** Opens connections that subscribe to a channel each, as those of waiting clients do, and prints a table. */
    static void connections() throws Exception {
        Tables.head(
                "connections",
                "memory of a node for each",
                "CPU of a node",
                "acquire by another client, median",
                "connections of a client that waits");
        for (int count : new int[] {0, 1_000, 10_000}) {
            try (RedisServers servers = RedisServers.start(1);
                    Holdfast other = ManyLeases.connect(servers)) {
                RedisServer node = servers.get(0);
                node.exec("CONFIG", "SET", "maxclients", Integer.toString(count + 100));
                double empty = memory(node);
                List<RespClient> idle = open(node, count);
                NodeStatistics before = NodeStatistics.of(node);
                TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
                NodeStatistics spent = NodeStatistics.of(node).since(before);
                // By then, the server has given back the buffers of the first commands.
                double full = memory(node);
                Tables.row(
                        Integer.toString(count),
                        count == 0 ? Tables.NONE : Tables.number("%.0f B", (full - empty) / count),
                        percent(spent.cpuMicros() / MICROS),
                        Tables.number("%.0f µs", median(other)),
                        Long.toString(ofOneWaiter(servers, other)));
                for (RespClient one : idle) {
                    one.close();
                }
            }
        }
    }

    private static List<RespClient> open(RedisServer node, int count) throws IOException {
        List<RespClient> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RespClient one = new RespClient(node.uri().getPort(), REPLY_LIMIT);
            one.exec("SUBSCRIBE", "idle-" + i);
            all.add(one);
        }
        return all;
    }

    /** Returns how many connections a client has while it waits for a lock. */
    private static long ofOneWaiter(RedisServers servers, Holdfast holder) throws InterruptedException {
        RedisServer node = servers.get(0);
        Lease lease = holder.lock("waited-for").acquire();
        long before = clients(node);
        try (lease;
                Holdfast waiter = ManyLeases.connect(servers)) {
            CompletableFuture<Lease> wait = waiter.lock(lease.resource()).acquireAsync();
            TimeUnit.SECONDS.sleep(1);
            long more = clients(node) - before;
            wait.cancel(true);
            return more;
        }
    }

    /** Returns the median time of an acquire, in µs. */
    private static double median(Holdfast holdfast) throws InterruptedException {
        DistributedLock lock = holdfast.lock("benchmark");
        double[] micros = new double[CYCLES];
        for (int i = 0; i < CYCLES; i++) {
            long begun = System.nanoTime();
            Lease lease = lock.acquire();
            micros[i] = (System.nanoTime() - begun) / NANOS_PER_MICRO;
            lease.release();
        }
        return Figures.median(micros);
    }

    private static String percent(double seconds) {
        return Tables.number("%.1f %%", seconds / MEASURED_SECONDS * 100);
    }

    private static double memory(RedisServer node) {
        return NodeStatistics.info(node, "memory", "used_memory:");
    }

    private static long clients(RedisServer node) {
        return (long) NodeStatistics.info(node, "clients", "connected_clients:");
    }
}
