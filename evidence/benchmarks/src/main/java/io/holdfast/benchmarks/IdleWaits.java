package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.Deployment;
import io.holdfast.benchmarks.server.NodeStatistics;
import io.holdfast.benchmarks.server.RedisLockServers;
import io.holdfast.benchmarks.server.ServerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A thousand threads of one process that wait for a lock each, which another client holds: what a node spends on it.
 */
final class IdleWaits {

    private static final int WAITS = 1_000;
    private static final long SETTLE_SECONDS = 5;
    private static final long ACQUIRE_SECONDS = 5;
    private static final long MEASURED_SECONDS = 8;
    private static final long START_PAUSE_MILLIS = 2;
    private static final int SMALL_STACK = 1 << 18;

    private IdleWaits() {}

    /** Runs the scenario and prints a table. */
    static void run() throws Exception {
        Tables.head(
                "N",
                "library",
                "waits",
                "scripts/s per wait and node",
                "writing commands/s per wait and node",
                "all commands/s per wait and node",
                "CPU of a node",
                "acquired within 5 s of the release",
                "the last one after");
        for (int nodes : new int[] {1, 3}) {
            for (Library library : List.of(Library.HOLDFAST, Library.REDISSON, Library.SPRING_MESSAGES)) {
                if (Library.onRedis(nodes).contains(library)) {
                    measure(nodes, library);
                }
            }
        }
    }

    private static void measure(int nodes, Library library) throws Exception {
        try (Deployment deployment = Deployment.start(List.of(library.kind()), nodes);
                Contestant holder = library.connect(deployment);
                Contestant waiting = library.connect(deployment)) {
            List<Runnable> releases = new ArrayList<>();
            for (int i = 0; i < WAITS; i++) {
                releases.add(holder.acquire("idle-" + i));
            }
            CountDownLatch ended = new CountDownLatch(WAITS);
            Queue<Exception> failures = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < WAITS; i++) {
                startWaiting(waiting, "idle-" + i, ended, failures);
                // Idle waits are to be measured, not a stampede.
                TimeUnit.MILLISECONDS.sleep(START_PAUSE_MILLIS);
            }
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            RedisLockServers redis = Objects.requireNonNull(deployment.redis(ServerKind.REDIS));
            NodeStatistics before = NodeStatistics.of(redis.first());
            TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
            NodeStatistics spent = NodeStatistics.of(redis.first()).since(before);
            releases.forEach(Runnable::run);
            long released = System.nanoTime();
            boolean all = ended.await(ACQUIRE_SECONDS, TimeUnit.SECONDS);
            long lastMillis = (System.nanoTime() - released) / 1_000_000;
            print(
                    nodes,
                    library,
                    spent,
                    spent.writes(redis.first()),
                    WAITS - ended.getCount(),
                    all ? lastMillis + " ms" : Tables.NONE);
            if (!failures.isEmpty()) {
                System.err.println(library.title() + ": " + failures.size() + " failures, first " + failures.peek());
            }
        }
    }

    private static void startWaiting(
            Contestant waiting, String resource, CountDownLatch ended, Queue<Exception> failures) {
        Runnable wait = () -> {
            try {
                waiting.acquire(resource).run();
                ended.countDown();
            } catch (Exception failed) {
                failures.add(failed);
            }
        };
        Thread thread = new Thread(null, wait, resource, SMALL_STACK);
        thread.setDaemon(true);
        thread.start();
    }

    private static void print(int nodes, Library library, NodeStatistics spent, long writes, long ended, String last) {
        double all = (double) WAITS * MEASURED_SECONDS;
        Tables.row(
                Integer.toString(nodes),
                library.title(),
                Integer.toString(WAITS),
                Tables.number("%.2f", spent.scripts() / all),
                Tables.number("%.2f", writes / all),
                Tables.number("%.2f", spent.commands() / all),
                Tables.number("%.1f %%", spent.cpuMicros() / (MEASURED_SECONDS * 1e6) * 100),
                Long.toString(ended),
                last);
    }
}
