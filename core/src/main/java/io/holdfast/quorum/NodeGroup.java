package io.holdfast.quorum;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The nodes of one client. Claims are asked in rounds; releases are repeated until they are acknowledged.
 *
 * <p>Thread-safe.
 */
public final class NodeGroup {

    private final Voters voters;
    private final Time time;
    private final String client;
    private final Supplier<Owner> owners;
    private final RandomGenerator random;
    private final Cleanup cleanup;
    private final ReplyTimes replyTimes;

    /**
     * Creates a group.
     *
     * @param voters all configured nodes
     * @param time the clocks and timers
     * @param client the id of the client, which others see in its positions in the wait queues
     * @param owners returns a fresh, unguessable owner at each call
     * @param random for delays; never for owners
     */
    public NodeGroup(Voters voters, Time time, String client, Supplier<Owner> owners, RandomGenerator random) {
        this.voters = voters;
        this.time = time;
        this.client = client;
        this.owners = owners;
        this.random = random;
        this.cleanup = new Cleanup(voters, time, random);
        this.replyTimes = new ReplyTimes(voters.nodes().size());
    }

    /** Returns all nodes, in the order in which they were given. */
    public List<LockNode> nodes() {
        return voters.nodes();
    }

    /** Returns the clocks and timers. */
    public Time time() {
        return time;
    }

    /** Returns the id of the client. */
    public String client() {
        return client;
    }

    /** Returns the present moment. */
    public Moment now() {
        return time.now();
    }

    /** Returns the source of random delays. */
    public RandomGenerator random() {
        return random;
    }

    /** Returns all nodes, and the sets whose majorities decide. */
    public Voters voters() {
        return voters;
    }

    /** Returns the sets of these nodes whose majorities decide. */
    public NodeSets sets() {
        return voters.sets();
    }

    /** Returns {@code true} if these nodes, as {@link NodeSets} numbers them, are a majority. */
    public boolean isMajority(long nodes) {
        return sets().isMajority(nodes);
    }

    /** Returns an owner for a new attempt. */
    public Owner freshOwner() {
        return owners.get();
    }

    /** Asks all nodes in one round. */
    public Round ask(Claim claim, Duration nodeTimeout) {
        return Round.start(voters, claim, nodeTimeout, time);
    }

    /**
     * Asks all nodes in one round of an acquisition. If a majority has voted without a decision, another attempt
     * follows, so the round waits for the others only as long as they usually take.
     */
    public Round attempt(Claim claim, NodePatience patience) {
        return Round.start(voters, node -> claim, patience, replyTimes, time);
    }

    /** Returns the longest time within which the nodes that have not replied usually do. */
    public Duration usualReply(NodePatience patience, IntPredicate hasReplied) {
        return replyTimes.limit(patience, hasReplied);
    }

    /** Asks all nodes for many claims at once, each in a round of its own. */
    public List<Round> askAll(List<Claim> claims, Duration nodeTimeout) {
        return Round.startAll(voters, claims, nodeTimeout, time);
    }

    /**
     * Begins work that {@link #settled} waits for. It is registered before it begins: otherwise a client that is closed
     * by another thread at that moment would close its nodes before the work can release what it has claimed.
     */
    public void track(Supplier<? extends CompletableFuture<?>> beginning) {
        cleanup.track(beginning);
    }

    /** Runs work that {@link #settled} waits for, from before its beginning. */
    public void trackNow(Runnable work) {
        cleanup.track(() -> {
            work.run();
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Begins work after this delay, or when {@link #settled} is called, which waits for it. */
    public void trackAfter(Duration delay, Runnable work) {
        cleanup.trackAfter(delay, work);
    }

    /**
     * Completes when each attempt that was under way has been granted or released, as far as nodes answer in time. Work
     * that was delayed begins at once. To be called when the client closes.
     */
    public CompletableFuture<Void> settled() {
        return cleanup.settled();
    }

    /**
     * Sends a release or a withdrawal to all nodes; see {@link Cleanup#release}.
     *
     * @param current returns the claim as it has to be sent now, each time that it is sent
     */
    public Round release(Claim release, UnaryOperator<Claim> current, AttemptTrace origin, Duration nodeTimeout) {
        return cleanup.release(release, current, origin, nodeTimeout);
    }

    /**
     * Returns {@code true} if an attempt of this client, whose owner has this mark, was withdrawn, but may still have
     * the lock of a node.
     */
    public boolean isWithdrawing(String mark) {
        return cleanup.isWithdrawing(mark);
    }

    /** Stores a note about the holder on all nodes; does not wait for their replies. */
    public void annotate(Claim held, String text) {
        NodeLockStatus.Note.require(text);
        nodes().forEach(node -> node.admin().annotate(held, text));
    }

    /** Lets all nodes list the name of a lock that has been held for long; does not wait for their replies. */
    public void keepListed(String resource) {
        nodes().forEach(node -> node.admin().keepListed(resource));
    }

    /**
     * Closes the nodes, also if one of them fails, which only nodes of the user do: throws the first failure when all
     * are closed. The result completes when nothing of them is left.
     */
    public CompletableFuture<Void> close() {
        closeFrom(0);
        return CompletableFuture.allOf(
                nodes().stream().map(node -> node.freed().toCompletableFuture()).toArray(CompletableFuture<?>[]::new));
    }

    @SuppressWarnings("try") // The others are closed, not used.
    private void closeFrom(int first) {
        if (first < nodes().size()) {
            try (Closing others = () -> closeFrom(first + 1)) {
                nodes().get(first).close();
            }
        }
    }

    /** The resource of a try statement, which throws the first failure, with the others suppressed. */
    private interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    /** Sends one node a claim whose reply a closing client awaits for a while. */
    public void send(int node, Claim claim) {
        cleanup.send(nodes().get(node), claim);
    }
}
