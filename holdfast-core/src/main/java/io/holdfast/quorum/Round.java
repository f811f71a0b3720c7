package io.holdfast.quorum;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * One claim sent to all nodes at once. It is settled as soon as the votes decide it, and at its timeout at the latest:
 * nodes that are still silent then count as failed. What they answer later is not counted, but can be followed.
 */
public final class Round {

    private final Time time;
    private final Moment begun;
    private final Duration timeout;
    private final List<LockNode> nodes;
    private final List<CompletableFuture<Reply>> replies = new ArrayList<>();
    private final @Nullable Reply[] votes;
    private final CompletableFuture<Outcome> settled = new CompletableFuture<>();
    private final AtomicIntegerArray landedLater;
    private Tally tally;

    private Round(List<LockNode> nodes, Duration timeout, Time time) {
        this.time = time;
        this.begun = time.now();
        this.timeout = timeout;
        this.nodes = nodes;
        this.votes = new Reply[nodes.size()];
        this.landedLater = new AtomicIntegerArray(nodes.size());
        this.tally = Tally.of(nodes.size());
    }

    /** Asks all nodes, and waits for none of them. */
    public static Round start(List<LockNode> nodes, Claim claim, Duration timeout, Time time) {
        Round round = new Round(nodes, timeout, time);
        round.send(claim);
        return round;
    }

    private void send(Claim claim) {
        for (LockNode node : nodes) {
            replies.add(ask(node, claim));
        }
        for (int i = 0; i < replies.size(); i++) {
            int index = i;
            replies.get(i).thenAccept(reply -> count(index, reply));
        }
        if (!settled.isDone()) {
            Time.Timer timer = time.schedule(timeout, this::expire);
            settled.thenRun(timer::cancel);
        }
    }

    /** What a node answers, also where an implementation breaks its promise never to throw. */
    static CompletableFuture<Reply> ask(LockNode node, Claim claim) {
        CompletionStage<Reply> asked;
        try {
            asked = node.ask(claim);
        } catch (RuntimeException broken) {
            asked = CompletableFuture.failedFuture(broken);
        }
        return asked.exceptionally(broken -> Reply.unknown("failed: " + broken)).toCompletableFuture();
    }

    private void count(int index, Reply reply) {
        Outcome decided;
        synchronized (this) {
            if (votes[index] != null || tally.verdict() != Verdict.UNDECIDED) {
                return;
            }
            votes[index] = reply;
            tally = tally.with(reply);
            if (tally.verdict() == Verdict.UNDECIDED) {
                return;
            }
            decided = outcome();
        }
        settled.complete(decided);
    }

    private void expire() {
        for (int i = 0; i < votes.length; i++) {
            count(i, Reply.unknown("no answer within " + timeout.toMillis() + " ms"));
        }
    }

    private Outcome outcome() {
        List<Vote> known = new ArrayList<>();
        for (int i = 0; i < votes.length; i++) {
            Reply reply = votes[i];
            if (reply != null) {
                known.add(new Vote(nodes.get(i).name(), reply));
            }
        }
        return new Outcome(tally, List.copyOf(known));
    }

    /** The moment before the first claim was sent. */
    public Moment begun() {
        return begun;
    }

    /** The decision, on whatever thread brought it; dependents must not block. Never completes exceptionally. */
    public CompletableFuture<Outcome> settled() {
        return settled;
    }

    /** What the node answers, however late; in the order of the nodes. */
    CompletableFuture<Reply> reply(int node) {
        return replies.get(node);
    }

    /** Completes when every node has answered, however late. */
    CompletableFuture<Void> answeredAtLast() {
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new));
    }

    /** Completes when every node has answered, or the timeout from now is over. */
    CompletableFuture<Void> answered() {
        CompletableFuture<Void> all = answeredAtLast();
        if (!all.isDone()) {
            Time.Timer timer = time.schedule(timeout, () -> all.complete(null));
            all.thenRun(timer::cancel);
        }
        return all;
    }

    /** The node keeps, or may keep, something of this claim that came there later than in this round. */
    void landed(int node) {
        landedLater.set(node, 1);
    }

    /** Whether the node may have carried out the claim, or may still do so: also after a no, if the network sends it twice. */
    boolean mayHaveLanded(int node) {
        Reply reply = replies.get(node).getNow(Reply.GRANTED);
        boolean notSent = reply instanceof Reply.Failed failed && !failed.mayHaveLanded();
        return landedLater.get(node) > 0 || !notSent;
    }
}
