package io.holdfast.quorum;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Releases that are repeated until the nodes acknowledge them, and the work that a closing client waits for.
 *
 * <p>Thread-safe.
 */
final class Cleanup {

    private static final Backoff REPEAT_DELAYS = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));
    private static final Duration SHORTEST_REPETITION = Duration.ofMinutes(1);
    /**
     * The longest wait of a closing client for the nodes to process its releases. A busy server may need longer than a
     * round.
     */
    private static final Duration REPLY_LIMIT = Duration.ofMillis(250);

    private final Voters voters;
    private final Time time;
    private final RandomGenerator random;
    /** In the order of their beginning, so that a simulation can be repeated; as are the releases without replies. */
    private final Set<CompletableFuture<?>> underWay = Collections.synchronizedSet(new LinkedHashSet<>());

    /** The delays before work that is under way; the client that closes ends them. */
    private final Set<CompletableFuture<Void>> delays = Collections.synchronizedSet(new LinkedHashSet<>());

    private final Set<Round> unanswered = Collections.synchronizedSet(new LinkedHashSet<>());

    /** By the mark of its owner, the number of nodes that have not acknowledged the withdrawal of an attempt. */
    private final Map<String, Integer> withdrawals = new ConcurrentHashMap<>();

    Cleanup(Voters voters, Time time, RandomGenerator random) {
        this.voters = voters;
        this.time = time;
        this.random = random;
    }

    /** Begins work after this delay, or when {@link #settled} is called, which waits for it. */
    @SuppressWarnings("CollectionUndefinedEquality") // The same future is meant, not an equal one.
    void trackAfter(Duration delay, Runnable work) {
        CompletableFuture<Void> due = new CompletableFuture<>();
        track(() -> due.thenRun(work));
        delays.add(due);
        due.whenComplete((done, failure) -> delays.remove(due));
        time.schedule(delay, () -> due.complete(null));
    }

    /** Begins work that {@link #settled} waits for, from before its beginning. */
    @SuppressWarnings("CollectionUndefinedEquality") // The same future is meant, not an equal one.
    void track(Supplier<? extends CompletableFuture<?>> beginning) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        underWay.add(over);
        try {
            CompletableFuture<?> work = beginning.get();
            if (work.isDone()) {
                end(over);
            } else {
                work.whenComplete((done, failure) -> end(over));
            }
        } catch (RuntimeException | Error notBegun) {
            end(over);
            throw notBegun;
        }
    }

    @SuppressWarnings("CollectionUndefinedEquality") // The same future is meant, not an equal one.
    private void end(CompletableFuture<Void> over) {
        underWay.remove(over);
        over.complete(null);
    }

    /** Sends one node a claim whose reply a closing client awaits for a while. */
    void send(LockNode node, Claim claim) {
        track(Round.start(Voters.of(List.of(node)), claim, REPLY_LIMIT, time));
    }

    /** Registers a release whose replies a closing client awaits for a while. */
    private void track(Round release) {
        CompletableFuture<Void> answered = release.answeredAtLast();
        if (!answered.isDone()) {
            unanswered.add(release);
            answered.thenRun(() -> unanswered.remove(release));
        }
    }

    private CompletableFuture<?> answered(Round release) {
        return release.answered(REPLY_LIMIT).thenRun(() -> unanswered.remove(release));
    }

    /** Completes when all tracked work is over, as far as nodes answer in time. Begins the work that was delayed. */
    CompletableFuture<Void> settled() {
        present(delays).forEach(due -> due.complete(null));
        List<CompletableFuture<?>> open = new ArrayList<>(present(underWay));
        present(unanswered).forEach(release -> open.add(answered(release)));
        open.removeIf(CompletableFuture::isDone);
        return open.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.allOf(open.toArray(CompletableFuture<?>[]::new))
                        .exceptionally(failure -> null)
                        .thenCompose(done -> settled());
    }

    private static <T> List<T> present(Set<T> all) {
        synchronized (all) {
            return List.copyOf(all);
        }
    }

    /**
     * Releases the lock of an attempt on all nodes. The release is sent at once, whether or not a caller waits for it.
     * If it fails on a node that may have carried out the claim, it is repeated until the node acknowledges it, or
     * until the lock has certainly expired. A claim that takes the lock or joins the wait queue late is followed by
     * another release.
     *
     * @param current adapts the release to the state of the wait queue whenever it is sent
     * @param origin the record of the nodes that the attempt may have reached
     */
    Round release(Claim release, UnaryOperator<Claim> current, AttemptTrace origin, Duration nodeTimeout) {
        Repetition repetition = new Repetition(release, current, origin);
        Claim now = current.apply(release);
        int nodes = voters.nodes().size();
        repetition.begin(nodes);
        NodePatience patience = NodePatience.exactly(nodeTimeout);
        Round round = Round.start(voters, node -> covering(now, origin, node), patience, null, time);
        track(round);
        for (int i = 0; i < nodes; i++) {
            int node = i;
            CompletableFuture<Reply> late = origin.late(i);
            CompletableFuture<Reply> answer = round.reply(i);
            answer.thenAccept(reply -> repetition.next(node, reply, 1, round.begun()));
            if (late != null) {
                late.thenAccept(reply -> repetition.afterLate(node, reply, answer.isDone()));
            }
        }
        return round;
    }

    /**
     * Returns {@code true} if an attempt of this client, whose owner has this mark, was withdrawn, but may still have
     * the lock of a node.
     */
    boolean isWithdrawing(String mark) {
        return withdrawals.containsKey(mark);
    }

    private static Claim covering(Claim release, AttemptTrace origin, int node) {
        return release.covering(origin.greatestRepair(node));
    }

    /** The repetitions of one release until each node has acknowledged it. */
    private final class Repetition {

        private final Claim release;
        private final UnaryOperator<Claim> current;
        private final AttemptTrace origin;

        Repetition(Claim release, UnaryOperator<Claim> current, AttemptTrace origin) {
            this.release = release;
            this.current = current;
            this.origin = origin;
        }

        /** Records that these nodes have yet to acknowledge the release. */
        void begin(int more) {
            if (release.isWithdrawal()) {
                withdrawals.merge(release.owner().mark(), more, Integer::sum);
            }
        }

        private void end() {
            if (release.isWithdrawal()) {
                withdrawals.computeIfPresent(release.owner().mark(), (mark, left) -> left == 1 ? null : left - 1);
            }
        }

        /** Repeats the release unless the node has acknowledged it, or has nothing to release. */
        void next(int node, Reply reply, int attempts, Moment since) {
            boolean acknowledged = !(reply instanceof Reply.Failed);
            if (acknowledged || !origin.mayBeCarriedOut(node) || isOver(since)) {
                end();
                return;
            }
            time.schedule(
                    REPEAT_DELAYS.after(attempts, random),
                    () -> send(node).thenAccept(again -> next(node, again, attempts + 1, since)));
        }

        /**
         * Sends the release again after a late grant, or after a late refusal if the claim may have joined the queue
         * after the release.
         *
         * @param isOvertaken whether the reply to the release came before that to the claim
         */
        void afterLate(int node, Reply reply, boolean isOvertaken) {
            boolean isQueued = reply instanceof Reply.Refused && isOvertaken && leavesQueue();
            if (reply instanceof Reply.Granted || isQueued) {
                begin(1);
                send(node).thenAccept(answer -> next(node, answer, 1, time.now()));
            }
        }

        private boolean leavesQueue() {
            Claim now = current.apply(release);
            return now.ticket() != null && !now.requeued();
        }

        private CompletableFuture<Reply> send(int node) {
            return Round.ask(voters.nodes().get(node), covering(current.apply(release), origin, node));
        }

        /**
         * Returns {@code true} if the lock has certainly expired. Twice its TTL is needed, since the claim may have
         * waited in the buffers of a stopped server.
         */
        private boolean isOver(Moment since) {
            Duration twice = Durations.times(release.ttl(), 2);
            return time.now().surelySince(since).compareTo(Durations.longer(twice, SHORTEST_REPETITION)) > 0;
        }
    }
}
