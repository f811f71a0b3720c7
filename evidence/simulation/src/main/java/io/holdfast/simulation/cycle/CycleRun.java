package io.holdfast.simulation.cycle;

import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.RestartPolicy;
import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.WaitCycle;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.QuorumConfig;
import io.holdfast.simulation.world.MachineTime;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A run of a {@link CyclePlan}: processes take nested locks, while a reader searches at random moments for clients that
 * wait for each other. No deadlock exists. So no cycle of processes with one thread may be named; one of processes with
 * several threads only if they did wait for each other, all at one moment.
 */
public final class CycleRun {

    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();

    private static final Duration BETWEEN_READINGS = Duration.ofSeconds(1);

    private final CyclePlan plan;
    private final SplittableRandom random;
    private final World world;
    private final MachineTime time;
    private final List<RemoteReading> nodes;
    private final LockAdmin admin;
    private final List<NestingThread> threads = new ArrayList<>();

    /**
     * The result of a run.
     *
     * @param granted the number of locks that were granted
     * @param readings the number of readings
     * @param seeming the readings that alone would have shown clients that wait for each other
     * @param named the cycles that a second reading has confirmed, and that were there
     * @param wrong the cycles that a second reading has confirmed, and that were not there
     */
    public record Result(long granted, long readings, long seeming, long named, List<WaitCycle> wrong) {}

    CycleRun(CyclePlan plan) {
        this.plan = plan;
        this.random = new SplittableRandom(plan.seed());
        this.world = new World(plan.seed(), Collections.nCopies(plan.nodes(), 1.0), OPTIONS, plan.network());
        this.time = world.addClient(1).time();
        this.nodes = world.nodes().stream()
                .map(node -> new RemoteReading(node, time, random))
                .toList();
        List<LockNode> all = List.copyOf(nodes);
        this.admin =
                new LockAdmin(all, new QuorumConfig(plan.nodes(), OPTIONS.maxLease()), false, time, resource -> {});
        for (int i = 0; i < plan.clients(); i++) {
            var client = world.addClient(1);
            int count = plan.threads() == 1 ? 1 : 1 + random.nextInt(plan.threads());
            for (int thread = 0; thread < count; thread++) {
                threads.add(new NestingThread(client, plan, random.split()));
            }
        }
    }

    /** Runs the plan that this seed draws until so many locks were granted. */
    public static Result of(long seed, long acquisitions) {
        return new CycleRun(CyclePlan.of(seed)).run(acquisitions);
    }

    Result run(long acquisitions) {
        threads.forEach(NestingThread::begin);
        long readings = 0;
        long seeming = 0;
        long named = 0;
        List<WaitCycle> wrong = new ArrayList<>();
        while (granted() < acquisitions) {
            world.advance(Duration.ofNanos(random.nextLong(BETWEEN_READINGS.toNanos())));
            List<LockStatus> first = read();
            seeming += WaitCycle.in(first, first).isEmpty() ? 0 : 1;
            readings++;
            AtomicReference<Snapshot> truth = new AtomicReference<>();
            world.time().schedule(BETWEEN_READINGS.dividedBy(2), () -> truth.set(Snapshot.of(threads)));
            for (WaitCycle cycle : admin.waitCycles(first)) {
                if (plan.threads() > 1 && truth.get().has(cycle)) {
                    named++;
                } else {
                    wrong.add(cycle);
                }
            }
        }
        return new Result(granted(), readings, seeming, named, wrong);
    }

    /** The holds and the waits at one moment. */
    private record Snapshot(Set<List<String>> holds, Set<List<String>> waits) {

        static Snapshot of(List<NestingThread> threads) {
            Map<SimulatedClient, String> ids = new HashMap<>();
            Set<List<String>> holds = new HashSet<>();
            for (NestingThread thread : threads) {
                for (Lease lease : thread.held()) {
                    ids.put(thread.client(), lease.owner().client());
                    holds.add(List.of(lease.owner().client(), lease.resource()));
                }
            }
            Set<List<String>> waits = threads.stream()
                    .filter(thread -> ids.containsKey(thread.client()))
                    .flatMap(thread -> thread.wanted().map(lock -> List.of(ids.get(thread.client()), lock)).stream())
                    .collect(Collectors.toSet());
            return new Snapshot(holds, waits);
        }

        boolean has(WaitCycle cycle) {
            List<WaitCycle.Step> steps = cycle.steps();
            return IntStream.range(0, steps.size()).allMatch(i -> {
                String lock = steps.get(i).waitsFor();
                String holder = steps.get((i + 1) % steps.size()).client();
                return waits.contains(List.of(steps.get(i).client(), lock)) && holds.contains(List.of(holder, lock));
            });
        }
    }

    private long granted() {
        return threads.stream().mapToLong(NestingThread::granted).sum();
    }

    /** Asks all nodes for all locks at once, as a listing does. */
    private List<LockStatus> read() {
        List<List<CompletableFuture<NodeLockStatus>>> asked = plan.locks().stream()
                .map(lock -> nodes.stream()
                        .map(node -> node.admin().inspect(lock).toCompletableFuture())
                        .toList())
                .toList();
        while (!asked.stream().flatMap(List::stream).allMatch(CompletableFuture::isDone)) {
            world.advance(RemoteReading.STEP);
        }
        List<LockStatus> read = new ArrayList<>();
        for (int lock = 0; lock < asked.size(); lock++) {
            List<NodeAnswer<NodeLockStatus>> answers = new ArrayList<>();
            for (int node = 0; node < nodes.size(); node++) {
                answers.add(NodeAnswer.of(
                        nodes.get(node).name(), asked.get(lock).get(node).join()));
            }
            read.add(new LockStatus(plan.locks().get(lock), answers, Map.of()));
        }
        return read;
    }
}
