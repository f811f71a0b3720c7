package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Throughput.Load;
import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.benchmarks.server.NodeStatistics;
import io.holdfast.benchmarks.server.RedisLockServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Acquires with a release each, by the threads of one turn.
 *
 * @param perSecond the cycles per second
 * @param acquireMillis the times of the acquires
 * @param nodeMicros the time of a processor that the first node took for each cycle, in µs
 * @param scriptMicros the time that it ran scripts for, by the clock, so other processes are in it
 * @param scripts the scripts of that node per cycle
 * @param commands the commands of that node per cycle, those that scripts call included
 * @param bytes what that node received and sent per cycle, the questions of {@link NodeStatistics} included
 * @param client what this process did for each cycle
 */
record Cycles(
        double perSecond,
        Spread acquireMillis,
        double nodeMicros,
        double scriptMicros,
        double scripts,
        double commands,
        double bytes,
        ClientWork client) {

    private static final double NANOS_PER_SECOND = 1_000_000_000;
    private static final double NANOS_PER_MILLI = 1_000_000;

    /** Lets the threads run for one turn. */
    static Cycles measure(Contestant contestant, Load load, @Nullable RedisLockServers redis, Duration turn)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(load.threads());
        NodeStatistics before = redis == null ? NodeStatistics.NONE : NodeStatistics.of(redis.first());
        ClientWork clientBefore = ClientWork.now();
        long begun = System.nanoTime();
        List<Future<double[]>> running = new ArrayList<>();
        for (int i = 0; i < load.threads(); i++) {
            String resource = load.resources().apply(i);
            running.add(threads.submit(() -> cycle(contestant, resource, begun + turn.toNanos())));
        }
        List<double[]> all = new ArrayList<>();
        for (Future<double[]> each : running) {
            all.add(each.get());
        }
        double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        // Before the threads end, whose work would not count.
        ClientWork client = ClientWork.now().since(clientBefore);
        NodeStatistics spent = redis == null
                ? NodeStatistics.NONE
                : NodeStatistics.of(redis.first()).since(before);
        threads.shutdown();
        threads.awaitTermination(1, TimeUnit.SECONDS);
        Spread millis = Spread.of(all.stream().flatMapToDouble(Arrays::stream));
        double count = Math.max(1, millis.count());
        return new Cycles(
                millis.count() / seconds,
                millis,
                spent.cpuMicros() / count,
                spent.scriptMicros() / count,
                spent.scripts() / count,
                spent.commands() / count,
                spent.bytes() / count,
                client.per(count));
    }

    private static double[] cycle(Contestant contestant, String resource, long end) throws Exception {
        DoubleStream.Builder millis = DoubleStream.builder();
        for (long begun = System.nanoTime(); begun < end; begun = System.nanoTime()) {
            Runnable release = contestant.acquire(resource);
            millis.add((System.nanoTime() - begun) / NANOS_PER_MILLI);
            release.run();
        }
        return millis.build().toArray();
    }
}
