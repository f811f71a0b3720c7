package io.holdfast.simulation.story;

import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.QuorumConfig;
import io.holdfast.simulation.check.Checkers;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A short run with five nodes and two clients: a majority, a wait queue, a crash, a quarantine, a repair, a
 * notification, a paused holder, and a standing claim. The world follows from a fixed seed, and all checkers observe
 * it.
 */
public final class ProtocolStory {

    static final int NODES = 5;
    static final int MAJORITY = 3;

    private static final long SEED = 7;
    private static final String LOCK = "order:42";
    private static final Duration LEASE = Duration.ofSeconds(10);
    /** Less than most messages take, so that a step can end between two of them. */
    private static final Duration INSTANT = Duration.ofNanos(20_000);

    /** A lock is handed over within a process for a short time only. */
    private static final Duration HOLD = Duration.ofMillis(5);

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration MOMENT = Duration.ofMillis(50);
    /** More than the longest wait of any step. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final World world = new World(
            SEED,
            Collections.nCopies(NODES, 1.0),
            HoldfastOptions.builder()
                    .maxLease(LEASE)
                    .restarts(RestartPolicy.QUARANTINE)
                    .build(),
            Network.GOOD);
    private final MessageLog log = new MessageLog();
    private final FencedResource resource = new FencedResource(world.violations());
    private final Actor a;
    private final Actor b;
    private final List<Story.Step> steps = new ArrayList<>();
    private long greatestToken;

    private ProtocolStory() {
        world.add(log);
        world.add(resource);
        Checkers.of(world).forEach(world::add);
        LockOptions options =
                LockOptions.builder().lease(LEASE).waitLimit(LIMIT).build();
        world.nodes().forEach(node -> node.admit(new QuorumConfig(NODES, LEASE)));
        a = new Actor(world, LOCK, options);
        b = new Actor(world, LOCK, options);
        world.advance(MOMENT);
    }

    /**
     * Runs the script.
     *
     * @throws IllegalStateException if a step does not end as the script expects, or if a promise was broken
     */
    public static Story run() {
        ProtocolStory story = new ProtocolStory();
        story.acquire();
        story.crash();
        story.passOn();
        story.pause();
        story.handOver();
        if (!story.world.violations().found().isEmpty()) {
            throw new IllegalStateException(
                    "The story breaks a promise: " + story.world.violations().found());
        }
        return new Story(LOCK, LEASE.toMillis(), List.copyOf(story.steps));
    }

    private void acquire() {
        show("Five independent Redis servers are the nodes. Each has one vote, and the lock is free.");
        slowNodes().forEach(index -> a.client().link(index).requests().close());
        a.ask();
        show("Client A sends its claim to all nodes at the same time, with a fencing token that it proposes.");
        until(a::holds, INSTANT);
        show("Three granted claims are a majority: A holds the lease, and does not wait for the slower nodes.");
        slowNodes().forEach(index -> a.client().link(index).requests().open(false));
        world.advance(MOMENT);
        log.clear();
        b.ask();
        b.ask();
        world.advance(MOMENT);
        log.keep(b, "acquire");
        show("Two threads of client B want the lock too. Every node refuses, and puts B into its wait queue.");
    }

    private void crash() {
        node(1).crash();
        world.advance(MOMENT);
        log.clear();
        show("Node 2 crashes. Four nodes still keep the lock of A, which is more than a majority.");
        node(1).start(false);
        world.advance(MOMENT);
        log.clear();
        show("Node 2 starts again without its data. It may have forgotten a lock, so it is in quarantine and has "
                + "no vote.");
        until(() -> log.hasReplies(a.name(), "extend", NODES), MOMENT);
        log.keep(a, "extend", "repair");
        show("After a third of its length, A renews the lease, and four nodes extend it. Node 2 is asked to store "
                + "it again, but has no vote yet.");
        until(() -> node(1).memory().votes(), MOMENT);
        log.clear();
        show("When every lease that node 2 may have forgotten is over, it votes again, but only above every token "
                + "that it may have granted.");
        until(() -> log.hasReply(a.name(), node(1).name(), "repair", "granted"), MILLI);
        log.keep(a, "extend", "repair");
        show("After its next renewal, A asks node 2 to store the lock again. That is a repair.");
    }

    private void passOn() {
        world.advance(MOMENT);
        log.clear();
        a.write(resource);
        greatestToken = a.token();
        show("A writes to the resource that the lock guards. The resource remembers the token of the write.");
        a.release();
        until(() -> reservedForB() >= MAJORITY, INSTANT);
        show("A releases. The claim that B left on the nodes is too old, so they notify B, which is first in their "
                + "wait queues, and reserve the lock for it.");
        until(b::holds, INSTANT);
        log.keep(b, "acquire");
        show("A majority has notified B, so B claims the lock at once, and is granted it with a greater token.");
        world.advance(HOLD);
        log.clear();
        long before = b.token();
        b.release();
        until(() -> b.holds() && b.token() != before, INSTANT);
        show("The first thread of B releases. Its second thread gets the lock by a hand-over within the process, "
                + "without any message.");
        a.ask();
        world.advance(MOMENT);
        log.keep(a, "acquire");
        show("A wants the lock again. The nodes refuse, and A waits.");
    }

    private void pause() {
        b.stop();
        log.clear();
        show("The process of B is paused, for example by its garbage collector. It cannot renew its lease.");
        until(a::holds, MILLI);
        log.keep(a, "acquire");
        show("The lease of B has expired on the nodes, so they grant A the lock, with a greater token.");
        world.advance(MOMENT);
        log.clear();
        a.write(resource);
        greatestToken = a.token();
        show("A writes, and the resource remembers the greater token.");
        b.write(resource);
        b.goOn();
        world.advance(MOMENT);
        show("B continues where it was: in a write. The resource rejects its old token, and B is notified that it "
                + "has lost the lease.");
    }

    private void handOver() {
        log.clear();
        b.ask();
        until(() -> log.hasReplies(b.name(), "acquire", NODES), INSTANT);
        // A client whose proposal was too low sends a higher one at once, in its next write.
        world.advance(MILLI);
        until(() -> log.hasReplies(b.name(), "acquire", NODES), INSTANT);
        show("B wants the lock again. Every node refuses, and stores the claim of B with its position: the claim "
                + "stands.");
        log.clear();
        a.release();
        until(b::holds, INSTANT);
        show("A releases soon. Each node carries out the standing claim of B in the same step and notifies B, so "
                + "the lock passes on in one round trip.");
        log.clear();
        b.release();
        world.advance(MOMENT);
        show("B releases the lock. Only the fences remain on the nodes, so that delayed claims are refused.");
    }

    /** The nodes that a message reaches late in the first round. */
    private static IntStream slowNodes() {
        return IntStream.range(MAJORITY, NODES);
    }

    private SimulatedNode node(int index) {
        return world.nodes().get(index);
    }

    private long reservedForB() {
        return world.nodes().stream()
                .filter(node -> node.memory().reservedFor(LOCK) != null)
                .count();
    }

    private void until(BooleanSupplier condition, Duration step) {
        long end = world.time().now().nanos() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (world.time().now().nanos() > end) {
                throw new IllegalStateException("Step " + steps.size() + " of the story does not end");
            }
            world.advance(step);
        }
    }

    private void show(String text) {
        steps.add(new Story.Step(
                world.time().now().nanos() / 1e6,
                text,
                log.messages(),
                List.of(a.picture(), b.picture()),
                world.nodes().stream()
                        .map(node -> NodePicture.of(node, LOCK, log, List.of(a, b)))
                        .toList(),
                new Story.Resource(greatestToken, resource.refused())));
        log.clearArrived();
    }
}
