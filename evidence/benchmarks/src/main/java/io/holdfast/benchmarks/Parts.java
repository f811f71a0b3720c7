package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Tally;
import io.holdfast.time.SystemTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The cost of the client itself, without a network and a server: time and allocation of its parts. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Parts {

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(50);

    @Param({"1", "5"})
    private int nodes;

    private final SecureRandom random = new SecureRandom();
    private final SystemTime time = new SystemTime();
    private List<LockNode> memory = List.of();
    private Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("none", time)), time, new Random(1));
    private DistributedLock lock = holdfast.lock("benchmark");
    private Claim claim =
            Claim.acquire("benchmark-round", Owner.fresh(random), Duration.ofHours(1), new FencingToken(2));

    /** Connects to nodes that reply at once. */
    @Setup
    public void connect() {
        memory = IntStream.range(0, nodes)
                .<LockNode>mapToObj(i -> new InMemoryNode("node-" + i, time))
                .toList();
        holdfast = Holdfast.forTesting(memory, time, new Random(1));
        lock = holdfast.lock("benchmark");
    }

    @TearDown
    public void disconnect() {
        holdfast.close();
        time.close();
    }

    /** Measures an acquire and a release. */
    @Benchmark
    public Lease acquireAndRelease() throws InterruptedException {
        Lease lease = lock.acquire();
        lease.release();
        return lease;
    }

    /** Measures one round that is granted to an owner who already holds the lock. */
    @Benchmark
    public Outcome round() {
        return Round.start(memory, claim, NODE_TIMEOUT, time).settled().join();
    }

    /** Measures the counting of votes. */
    @Benchmark
    public Tally tally() {
        Tally tally = Tally.of(nodes);
        for (int i = 0; i < nodes; i++) {
            tally = tally.with(Reply.GRANTED);
        }
        return tally;
    }

    /** Measures the choice of 160 unpredictable random bits. */
    @Benchmark
    public Owner owner() {
        return Owner.fresh(random);
    }

    /** Runs all measurements and prints a table. */
    static void run() throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(Parts.class.getName())
                        .addProfiler(GCProfiler.class)
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(5)
                        .measurementTime(TimeValue.seconds(1))
                        .build())
                .run();
    }
}
