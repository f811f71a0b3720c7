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
import java.util.function.IntFunction;
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
    private Tally tally;

    private Round(List<LockNode> nodes, Duration timeout, Time time) {
        this.time = time;
        this.begun = time.now();
        this.timeout = timeout;
        this.nodes = nodes;
        this.votes = new Reply[nodes.size()];
        this.tally = Tally.of(nodes.size());
    }

    /** Asks all nodes, and waits for none of them. */
    public static Round start(List<LockNode> nodes, Claim claim, Duration timeout, Time time) {
        return start(nodes, node -> claim, timeout, time);
    }

    /** Asks each node for its own claim. */
    static Round start(List<LockNode> nodes, IntFunction<Claim> claims, Duration timeout, Time time) {
        Round round = new Round(nodes, timeout, time);
        for (int i = 0; i < nodes.size(); i++) {
            round.replies.add(ask(nodes.get(i), claims.apply(i)));
        }
        round.count();
        if (!round.settled.isDone()) {
            Time.Timer timer = time.schedule(timeout, round::expire);
            round.settled.thenRun(timer::cancel);
        }
        return round;
    }

    /** The same for many claims, each with a round of its own; the nodes are asked for all of them at once. */
    static List<Round> startAll(List<LockNode> nodes, List<Claim> claims, Duration timeout, Time time) {
        if (claims.size() == 1) {
            return List.of(start(nodes, claims.get(0), timeout, time));
        }
        List<Round> rounds =
                claims.stream().map(claim -> new Round(nodes, timeout, time)).toList();
        for (LockNode node : nodes) {
            List<CompletableFuture<Reply>> asked = askAll(node, claims);
            for (int i = 0; i < rounds.size(); i++) {
                rounds.get(i).replies.add(asked.get(i));
            }
        }
        rounds.forEach(Round::count);
        Time.Timer timer = time.schedule(timeout, () -> rounds.forEach(Round::expire));
        // Or all that they have heard would be kept until then.
        CompletableFuture.allOf(rounds.stream().map(Round::settled).toArray(CompletableFuture<?>[]::new))
                .thenRun(timer::cancel);
        return rounds;
    }

    private void count() {
        for (int i = 0; i < replies.size(); i++) {
            int index = i;
            replies.get(i).thenAccept(reply -> count(index, reply));
        }
    }

    /** What a node answers, also where an implementation breaks its promise never to throw. */
    public static CompletableFuture<Reply> ask(LockNode node, Claim claim) {
        CompletionStage<Reply> asked;
        try {
            asked = node.ask(claim);
        } catch (RuntimeException broken) {
            asked = CompletableFuture.failedFuture(broken);
        }
        return safe(asked);
    }

    private static List<CompletableFuture<Reply>> askAll(LockNode node, List<Claim> claims) {
        try {
            return node.askAll(claims).stream().map(Round::safe).toList();
        } catch (RuntimeException broken) {
            Reply failed = Reply.unknown("failed: " + broken);
            return claims.stream()
                    .map(claim -> CompletableFuture.completedFuture(failed))
                    .toList();
        }
    }

    private static CompletableFuture<Reply> safe(CompletionStage<Reply> asked) {
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
    public CompletableFuture<Reply> reply(int node) {
        return replies.get(node);
    }

    /** Completes when every node has answered, however late. */
    CompletableFuture<Void> answeredAtLast() {
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new));
    }

    /** Completes when every node has answered, or the limit from now is over. */
    CompletableFuture<Void> answered(Duration limit) {
        CompletableFuture<Void> all = answeredAtLast();
        if (!all.isDone()) {
            Time.Timer timer = time.schedule(limit, () -> all.complete(null));
            all.thenRun(timer::cancel);
        }
        return all;
    }

    /** What the claim may have left on the nodes. */
    public AttemptTrace trace() {
        return AttemptTrace.of(begun, replies);
    }
}
