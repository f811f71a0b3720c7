package io.holdfast.quorum;

import static io.holdfast.time.Durations.longer;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.time.Durations;
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
 * One claim sent to all nodes at once. The round is settled as soon as the votes decide it, at the latest at its
 * timeout, when missing replies count as failures. Later replies are not counted, but available from {@link #reply}.
 *
 * <p>Thread-safe.
 */
public final class Round {

    private final Time time;
    private final Moment begun;
    private final NodePatience patience;
    /** With these times, the round has a limit for a minority that is missing; null: it has none. */
    private final @Nullable ReplyTimes replyTimes;

    private final List<LockNode> nodes;
    private final List<CompletableFuture<Reply>> replies;
    private final @Nullable Reply[] votes;
    private final CompletableFuture<Outcome> settled = new CompletableFuture<>();
    private Tally tally;
    private Time.@Nullable Timer timer;
    /** The time from the beginning of the round to the end of the timer. */
    private Duration timerLimit = Duration.ZERO;

    private Round(Voters voters, NodePatience patience, @Nullable ReplyTimes replyTimes, Time time) {
        this.time = time;
        this.begun = time.now();
        this.patience = patience;
        this.replyTimes = replyTimes;
        this.nodes = voters.nodes();
        this.replies = new ArrayList<>(nodes.size());
        this.votes = new Reply[nodes.size()];
        this.tally = Tally.of(voters.sets());
    }

    /** Sends the claim to all nodes without waiting for their replies. */
    public static Round start(Voters voters, Claim claim, Duration timeout, Time time) {
        return start(voters, node -> claim, NodePatience.exactly(timeout), null, time);
    }

    /** Sends each node its own claim. With reply times, there is a limit for a minority that is missing. */
    static Round start(
            Voters voters,
            IntFunction<Claim> claims,
            NodePatience patience,
            @Nullable ReplyTimes replyTimes,
            Time time) {
        Round round = new Round(voters, patience, replyTimes, time);
        for (int i = 0; i < round.nodes.size(); i++) {
            round.replies.add(ask(round.nodes.get(i), claims.apply(i)));
        }
        round.count();
        round.expireAfter(patience.nodeTimeout());
        return round;
    }

    /** Sends many claims to each node at once, and returns one round for each claim. */
    static List<Round> startAll(Voters voters, List<Claim> claims, Duration timeout, Time time) {
        if (claims.size() == 1) {
            return List.of(start(voters, claims.get(0), timeout, time));
        }
        List<Round> rounds = claims.stream()
                .map(claim -> new Round(voters, NodePatience.exactly(timeout), null, time))
                .toList();
        for (LockNode node : voters.nodes()) {
            List<CompletableFuture<Reply>> asked = askAll(node, claims);
            for (int i = 0; i < rounds.size(); i++) {
                rounds.get(i).replies.add(asked.get(i));
            }
        }
        rounds.forEach(Round::count);
        Time.Timer timer = time.schedule(timeout, () -> rounds.forEach(round -> round.expire(timeout)));
        // Otherwise the timer would keep all replies in memory until the timeout.
        CompletableFuture.allOf(rounds.stream().map(Round::settled).toArray(CompletableFuture<?>[]::new))
                .thenRun(timer::cancel);
        return rounds;
    }

    private void count() {
        for (int i = 0; i < replies.size(); i++) {
            int index = i;
            replies.get(i).thenAccept(reply -> onReply(index, reply));
        }
    }

    private void onReply(int node, Reply reply) {
        ReplyTimes times = replyTimes;
        if (times != null && !(reply instanceof Reply.Failed)) {
            times.replied(node, time.now().since(begun));
        }
        count(node, reply);
    }

    /** Returns the node's reply, a failed one if the implementation throws although it must not. */
    public static CompletableFuture<Reply> ask(LockNode node, Claim claim) {
        CompletionStage<Reply> asked;
        try {
            asked = node.ask(claim);
        } catch (RuntimeException | Error broken) {
            asked = CompletableFuture.failedFuture(broken);
        }
        return safe(asked);
    }

    private static List<CompletableFuture<Reply>> askAll(LockNode node, List<Claim> claims) {
        try {
            return node.askAll(claims).stream().map(Round::safe).toList();
        } catch (RuntimeException | Error broken) {
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
        @Nullable Outcome decided;
        synchronized (this) {
            boolean isOpen = tally.verdict() == Verdict.UNDECIDED;
            if (settled.isDone() || (isOpen && votes[index] != null)) {
                return;
            }
            if (isOpen) {
                tally = tally.with(index, reply);
                votes[index] = reply;
            }
            // If no memory is left for the outcome, the next reply or the timeout settles the round.
            decided = tally.verdict() == Verdict.UNDECIDED ? null : outcome();
        }
        if (decided != null) {
            settled.complete(decided);
            stopTimer();
        } else {
            limitMinority();
        }
    }

    /**
     * Waits no longer for a minority than nodes usually take, since it only decides which of several clients has to try
     * again. It may take twice as long as the majority took: a busy client receives all replies late.
     */
    private void limitMinority() {
        ReplyTimes times = replyTimes;
        if (times != null && tallied().isVotedByMajority()) {
            Duration usual = times.limit(patience, node -> voteOf(node) != null);
            Duration longest = longer(usual, Durations.times(time.now().since(begun), 2));
            if (longest.compareTo(patience.nodeTimeout()) < 0) {
                expireAfter(longest);
            }
        }
    }

    private synchronized Tally tallied() {
        return tally;
    }

    private synchronized @Nullable Reply voteOf(int node) {
        return votes[node];
    }

    /** Lets the round end at this time after its beginning, unless it ends earlier. */
    private void expireAfter(Duration limit) {
        if (settled.isDone()) {
            return;
        }
        cancel(useTimer(time.schedule(limit.minus(time.now().since(begun)), () -> expire(limit)), limit));
        if (settled.isDone()) {
            stopTimer();
        }
    }

    /** Otherwise the timer would keep the replies in memory until the timeout. */
    private void stopTimer() {
        cancel(useTimer(null, Duration.ZERO));
    }

    /** Returns the timer that is not needed any more: the one before, or this one if the other fires sooner. */
    private synchronized Time.@Nullable Timer useTimer(Time.@Nullable Timer next, Duration limit) {
        Time.Timer before = timer;
        if (before != null && timerLimit.compareTo(limit) <= 0) {
            return next;
        }
        timer = next;
        timerLimit = limit;
        return before;
    }

    private static void cancel(Time.@Nullable Timer unused) {
        if (unused != null) {
            unused.cancel();
        }
    }

    private void expire(Duration limit) {
        end("no answer within " + limit.toMillis() + " ms");
    }

    /** Settles the round now, without the missing replies: its caller does not wait any more. */
    public void abandon() {
        end("not waited for");
    }

    private void end(String cause) {
        for (int i = 0; i < votes.length; i++) {
            count(i, Reply.unknown(cause));
        }
    }

    private Outcome outcome() {
        List<Vote> known = new ArrayList<>(votes.length);
        for (int i = 0; i < votes.length; i++) {
            Reply reply = votes[i];
            if (reply != null) {
                known.add(new Vote(i, nodes.get(i).name(), reply));
            }
        }
        return new Outcome(tally, List.copyOf(known));
    }

    /** Returns the moment before the first claim was sent. */
    public Moment begun() {
        return begun;
    }

    /** Returns the decision. The future never completes exceptionally; dependent stages must not block its thread. */
    public CompletableFuture<Outcome> settled() {
        return settled;
    }

    /** Returns the reply of a node, even if it arrives after the decision. */
    public CompletableFuture<Reply> reply(int node) {
        return replies.get(node);
    }

    /** Completes when every node has answered, however late. */
    CompletableFuture<Void> answeredAtLast() {
        return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new));
    }

    /** Completes when every node has answered, at the latest after this limit. */
    CompletableFuture<Void> answered(Duration limit) {
        CompletableFuture<Void> all = answeredAtLast();
        if (!all.isDone()) {
            Time.Timer timer = time.schedule(limit, () -> all.complete(null));
            all.thenRun(timer::cancel);
        }
        return all;
    }

    /** Returns a record of the nodes on which the claim may have left a lock. */
    public AttemptTrace trace() {
        return AttemptTrace.of(replies);
    }
}
