package io.holdfast.quorum;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Owner;
import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The nodes of one client and how they are asked: claims in rounds, and releases that do not give up.
 *
 * <p>Thread-safe.
 *
 * @param nodes all configured nodes, each a vote
 * @param time the clocks and timers
 * @param owners a fresh, unguessable owner at each call
 * @param random for delays; never for owners
 */
public record Quorum(List<LockNode> nodes, Time time, Supplier<Owner> owners, RandomGenerator random) {

    private static final RetryDelays SWEEP_DELAYS = new RetryDelays(Duration.ofMillis(50), Duration.ofSeconds(1));
    private static final Duration SHORTEST_SWEEP = Duration.ofMinutes(1);

    public Round ask(Claim claim, Duration nodeTimeout) {
        return Round.start(nodes, claim, nodeTimeout, time);
    }

    /**
     * Takes back, on all nodes, whatever the round of this claim has left or may still leave there. The release is sent at
     * once and depends on nobody who waits for it. Where it fails on a node that may have carried out the claim, it is
     * sent again until the node acknowledges it, or until the lock has surely expired by itself; and a claim that is
     * granted late is followed by one release more.
     */
    public Round release(Claim claim, Round origin, Duration nodeTimeout) {
        Round round = ask(claim.release(), nodeTimeout);
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            CompletableFuture<Reply> granted = origin.reply(i);
            boolean late = !granted.isDone();
            round.reply(i).thenAccept(reply -> sweep(node, claim.release(), granted, reply, 1, round.begun()));
            if (late) {
                granted.thenAccept(reply -> followLate(node, claim.release(), granted, reply));
            }
        }
        return round;
    }

    private void followLate(LockNode node, Claim release, CompletableFuture<Reply> origin, Reply reply) {
        if (reply instanceof Reply.Granted) {
            Round.ask(node, release).thenAccept(answer -> sweep(node, release, origin, answer, 1, time.now()));
        }
    }

    private void sweep(
            LockNode node, Claim release, CompletableFuture<Reply> origin, Reply reply, int attempts, Moment since) {
        boolean acknowledged = !(reply instanceof Reply.Failed);
        if (acknowledged || !mayHaveLanded(origin) || isOver(release, since)) {
            return;
        }
        time.schedule(
                SWEEP_DELAYS.after(attempts, random),
                () -> Round.ask(node, release)
                        .thenAccept(again -> sweep(node, release, origin, again, attempts + 1, since)));
    }

    private static boolean mayHaveLanded(CompletableFuture<Reply> origin) {
        Reply reply = origin.getNow(Reply.GRANTED);
        return reply instanceof Reply.Granted || (reply instanceof Reply.Failed failed && failed.mayHaveLanded());
    }

    /** Whether the lock has expired by itself, twice over: once for a claim that waited in a stopped server's buffers. */
    private boolean isOver(Claim release, Moment since) {
        Duration twice = release.ttl().multipliedBy(2);
        Duration bound = twice.compareTo(SHORTEST_SWEEP) > 0 ? twice : SHORTEST_SWEEP;
        return time.now().since(since).compareTo(bound) > 0;
    }
}
