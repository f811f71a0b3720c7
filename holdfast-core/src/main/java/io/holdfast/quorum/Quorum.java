package io.holdfast.quorum;

import io.holdfast.event.Quarantine;
import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.Fleet;
import io.holdfast.node.LockNode;
import io.holdfast.node.Owner;
import io.holdfast.node.Reply;
import io.holdfast.node.Ticket;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The nodes of one client and how they are asked: claims in rounds, and releases that do not give up.
 *
 * <p>Thread-safe.
 */
public final class Quorum {

    private static final RetryDelays SWEEP_DELAYS = new RetryDelays(Duration.ofMillis(50), Duration.ofSeconds(1));
    private static final Duration SHORTEST_SWEEP = Duration.ofMinutes(1);
    /** How long a client that closes waits for each node to take its releases: a busy server may take longer than a round. */
    private static final Duration ANSWER_LIMIT = Duration.ofMillis(250);

    private final List<LockNode> nodes;
    private final Time time;
    private final Supplier<Owner> owners;
    private final RandomGenerator random;
    private final Inbox inbox;
    private final Reachability reachability = new Reachability();
    private final Set<CompletableFuture<?>> debts = ConcurrentHashMap.newKeySet();
    private final Set<Round> unanswered = ConcurrentHashMap.newKeySet();

    /**
     * A quorum.
     *
     * @param nodes all configured nodes, each a vote
     * @param time the clocks and timers
     * @param owners a fresh, unguessable owner at each call
     * @param random for delays; never for owners
     */
    public Quorum(List<LockNode> nodes, Time time, Supplier<Owner> owners, RandomGenerator random) {
        this.nodes = nodes;
        this.time = time;
        this.owners = owners;
        this.random = random;
        this.inbox = new Inbox(random, nodes, time);
        inbox.open();
    }

    /**
     * The same nodes, each with this client's part in ending its quarantine.
     *
     * @param strict whether a node stays out while too few others can tell which fences it has forgotten
     * @param listener told of each quarantine that begins and ends, on a thread that must not be blocked
     */
    public static List<LockNode> guarded(
            List<LockNode> nodes,
            Fleet fleet,
            boolean strict,
            String watcher,
            Time time,
            Consumer<Quarantine> listener) {
        FenceFloor floors = new FenceFloor(nodes, fleet, watcher, strict, time);
        List<GuardedNode> guarded = nodes.stream()
                .map(node -> new GuardedNode(node, fleet, watcher, floors, time, listener))
                .toList();
        guarded.forEach(GuardedNode::patrol);
        return List.copyOf(guarded);
    }

    public List<LockNode> nodes() {
        return nodes;
    }

    public Time time() {
        return time;
    }

    Inbox inbox() {
        return inbox;
    }

    Reachability reachability() {
        return reachability;
    }

    int majority() {
        return Tally.of(nodes.size()).majority();
    }

    Owner freshOwner() {
        return owners.get();
    }

    RandomGenerator random() {
        return random;
    }

    public Round ask(Claim claim, Duration nodeTimeout) {
        return Round.start(nodes, claim, nodeTimeout, time);
    }

    /** Asks for many at once, each in a round of its own. */
    List<Round> askAll(List<Claim> claims, Duration nodeTimeout) {
        return Round.startAll(nodes, claims, nodeTimeout, time);
    }

    /** Something that will have been taken back when the future completes; see {@link #settled}. */
    @SuppressWarnings("CollectionUndefinedEquality") // The same future is meant, not an equal one.
    void owe(CompletableFuture<?> debt) {
        debts.add(debt);
        debt.whenComplete((paid, failure) -> debts.remove(debt));
    }

    /** A release whose answers are awaited, for a while, before the nodes are closed. */
    private void owe(Round release) {
        CompletableFuture<Void> answered = release.answeredAtLast();
        if (!answered.isDone()) {
            unanswered.add(release);
            answered.thenRun(() -> unanswered.remove(release));
        }
    }

    private CompletableFuture<?> answered(Round release) {
        return release.answered(ANSWER_LIMIT).thenRun(() -> unanswered.remove(release));
    }

    /** Completes when every attempt that was under way has been taken back or granted, as far as nodes answer in time. */
    public CompletableFuture<Void> settled() {
        CompletableFuture<?>[] open = Stream.concat(
                        debts.stream(), unanswered.stream().map(this::answered))
                .filter(debt -> !debt.isDone())
                .toArray(CompletableFuture<?>[]::new);
        return open.length == 0
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.allOf(open).exceptionally(failure -> null).thenCompose(paid -> settled());
    }

    /**
     * Takes back, on all nodes, whatever the claim has left or may still leave there. The release is sent at
     * once and depends on nobody who waits for it. Where it fails on a node that may have carried out the claim, it is
     * sent again until the node acknowledges it, or until the lock has surely expired by itself; and a claim that is
     * granted late is followed by one release more.
     */
    public Round release(Claim claim, Trail origin, Duration nodeTimeout) {
        return giveUp(claim.release(), origin, nodeTimeout);
    }

    /** The same, and whoever made the attempt stays in line. */
    Round stepBack(Claim claim, Trail origin, Duration nodeTimeout) {
        return giveUp(claim.stepBack(), origin, nodeTimeout);
    }

    private Round giveUp(Claim release, Trail origin, Duration nodeTimeout) {
        Claim leaving = leaving(release);
        Round round = Round.start(nodes, node -> covering(leaving, origin, node), nodeTimeout, time);
        owe(round);
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            CompletableFuture<Reply> late = origin.late(i);
            round.reply(i).thenAccept(reply -> sweep(node, release, origin, reply, 1, round.begun()));
            if (late != null) {
                late.thenAccept(reply -> followLate(node, release, origin, reply));
            }
        }
        return round;
    }

    private static Claim covering(Claim release, Trail origin, int node) {
        return release.covering(origin.greatest(node));
    }

    private CompletableFuture<Reply> giveUpAgain(int node, Claim release, Trail origin) {
        return Round.ask(nodes.get(node), covering(leaving(release), origin, node));
    }

    /**
     * The release as it has to be sent now. A client has one position in the wait queue of a resource: an attempt gives it up only if no
     * other waiter of this client has it, and keeps it only if one does.
     */
    private Claim leaving(Claim release) {
        Ticket ticket = release.ticket();
        if (ticket == null) {
            return release;
        }
        boolean queued = inbox.isQueued(release.resource(), ticket);
        boolean leaves = release.action() == Claim.Action.RELEASE;
        return leaves && queued ? release.with(null) : !leaves && !queued ? release.release() : release;
    }

    /** Where a granted claim was refused, or may have been, it has put its client in line: it leaves there. */
    void leaveLine(Claim granted, Round round) {
        Ticket ticket = granted.ticket();
        if (ticket == null) {
            return;
        }
        if (inbox.isQueued(granted.resource(), ticket)) {
            // The nodes have taken the granted attempt out of the queue, and with it the position of this waiter.
            inbox.rejoin(granted.resource(), ticket);
            return;
        }
        Claim leaving = Claim.acquire(granted.resource(), freshOwner(), granted.ttl(), FencingToken.NONE)
                .withAccess(granted.access())
                .with(ticket)
                .release();
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            round.reply(i).thenAccept(reply -> {
                if (!(reply instanceof Reply.Granted)) {
                    Round.ask(node, leaving);
                }
            });
        }
    }

    private void followLate(int node, Claim release, Trail origin, Reply reply) {
        if (reply instanceof Reply.Granted) {
            giveUpAgain(node, release, origin)
                    .thenAccept(answer -> sweep(node, release, origin, answer, 1, time.now()));
        }
    }

    private void sweep(int node, Claim release, Trail origin, Reply reply, int attempts, Moment since) {
        boolean acknowledged = !(reply instanceof Reply.Failed);
        if (acknowledged || !origin.mayHaveLanded(node) || isOver(release, since)) {
            return;
        }
        time.schedule(
                SWEEP_DELAYS.after(attempts, random),
                () -> giveUpAgain(node, release, origin)
                        .thenAccept(again -> sweep(node, release, origin, again, attempts + 1, since)));
    }

    /** Whether the lock has expired by itself, twice over: once for a claim that waited in a stopped server's buffers. */
    private boolean isOver(Claim release, Moment since) {
        Duration twice = Durations.times(release.ttl(), 2);
        Duration bound = twice.compareTo(SHORTEST_SWEEP) > 0 ? twice : SHORTEST_SWEEP;
        return time.now().surelySince(since).compareTo(bound) > 0;
    }
}
