package io.holdfast.acquire;

import io.holdfast.lease.LockMode;
import io.holdfast.node.LockNode;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.quorum.NodeSets;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Voters;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.WhileUsed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The inbox for the wake-up notifications of the nodes, one for all waiters of a client. The inbox also issues the
 * tickets. Their numbers follow the nodes' clocks, so that a client with a wrong clock neither overtakes others nor
 * waits permanently.
 *
 * <p>Thread-safe.
 */
final class WakeUpInbox {

    /** The loss of accuracy of an old reading: clocks run apart by at most this share of the time. */
    private static final long CLOCKS_DIFFER_BY_ONE_IN = 100;

    /** The interval of the checks for replaced connections while clients wait. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    private final String name;
    private final List<LockNode> nodes;
    private final NodeSets sets;
    private final Map<String, Set<Subscriber>> waiters = new ConcurrentHashMap<>();
    private final WhileUsed checks;
    private long notifying;
    private volatile @Nullable Reading reading;

    /**
     * A waiter of this client that has a position in the nodes' wait queues. All methods are called on threads that
     * must not be blocked.
     */
    interface Subscriber {

        /** Receives a notification of a node. */
        void wake(int node, WakeUp wake);

        /** Returns the position of the waiter, or null if it has none. */
        @Nullable
        WaitTicket ticket();

        /** Requests another attempt soon, since the position may have been lost on some nodes. */
        void rejoin();
    }

    /**
     * A reading of the nodes' clocks. Its moment on this machine's monotonic clock is known to within
     * {@code roundTripNanos}: after the claim was sent and before the reply arrived, most likely in the middle.
     *
     * @see <a href="https://doi.org/10.1007/BF01784024">F. Cristian, Probabilistic clock synchronization, 1989</a>
     */
    private record Reading(long clockMicros, long nanos, long roundTripNanos) {

        static Reading between(Moment sent, Moment answered, long clockMicros) {
            long roundTrip = answered.nanos() - sent.nanos();
            return new Reading(clockMicros, sent.nanos() + roundTrip / 2, roundTrip);
        }

        long at(Moment moment) {
            return clockMicros + (moment.nanos() - nanos) / 1_000;
        }

        /** Prefers short round trips and recent readings. */
        boolean isBetterThan(@Nullable Reading other) {
            return other == null
                    || roundTripNanos <= other.roundTripNanos + (nanos - other.nanos) / CLOCKS_DIFFER_BY_ONE_IN;
        }
    }

    /**
     * Creates an inbox.
     *
     * @param name the id of the client
     */
    WakeUpInbox(String name, Voters voters, Time time) {
        this.name = name;
        this.nodes = voters.nodes();
        this.sets = voters.sets();
        this.checks = new WhileUsed(time, CHECK_INTERVAL, CHECK_INTERVAL, () -> !waiters.isEmpty(), this::check);
    }

    /** Subscribes on all nodes. */
    void open() {
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            nodes.get(i).listen(name, wake -> deliver(node, wake));
        }
    }

    private void deliver(int node, WakeUp wake) {
        waiters.getOrDefault(wake.resource(), Set.of()).forEach(waiter -> waiter.wake(node, wake));
    }

    /** Adds a waiter; starts the connection checks if it is the first. */
    void add(String resource, Subscriber waiter) {
        waiters.compute(resource, (same, set) -> {
            Set<Subscriber> all = set == null ? new CopyOnWriteArraySet<>() : set;
            all.add(waiter);
            return all;
        });
        checks.begin(this::updateNotifying);
    }

    /**
     * Checks whether a node can notify this client again that could not before: its connection was replaced, and
     * notifications may be lost. The check also renews the subscription. It is repeated as long as there are waiters.
     */
    private void check() {
        if (updateNotifying()) {
            waiters.values().forEach(set -> set.forEach(Subscriber::rejoin));
        }
    }

    /** Records which nodes can notify this client; returns {@code true} if one can that could not before. */
    private synchronized boolean updateNotifying() {
        long before = notifying;
        notifying = ableToNotify();
        return (notifying & ~before) != 0;
    }

    private long ableToNotify() {
        return NodeSets.where(nodes, LockNode::canNotify);
    }

    /** Returns {@code true} if a waiter of this client has this position in the wait queue of the resource. */
    boolean isQueued(String resource, WaitTicket ticket) {
        return queuedAt(resource, ticket.entry()).findAny().isPresent();
    }

    /**
     * Lets the waiters with this position enter the wait queue again, after another attempt of this client has left it.
     */
    void rejoin(String resource, WaitTicket ticket) {
        queuedAt(resource, ticket.entry()).forEach(Subscriber::rejoin);
    }

    private Stream<Subscriber> queuedAt(String resource, String entry) {
        return waiters.getOrDefault(resource, Set.of()).stream().filter(waiter -> {
            WaitTicket ticket = waiter.ticket();
            return ticket != null && ticket.entry().equals(entry);
        });
    }

    private LongStream numbers(String resource, String entry) {
        return queuedAt(resource, entry)
                .map(Subscriber::ticket)
                .filter(Objects::nonNull)
                .mapToLong(WaitTicket::number);
    }

    /** Removes a waiter. */
    void remove(String resource, Subscriber waiter) {
        waiters.computeIfPresent(resource, (same, set) -> {
            set.remove(waiter);
            return set.isEmpty() ? null : set;
        });
    }

    /** Records the nodes' clocks from the replies of a round. */
    void learn(Outcome outcome, Moment sent, Moment answered) {
        outcome.clockMicros().ifPresent(micros -> {
            Reading fresh = Reading.between(sent, answered, micros);
            if (fresh.isBetterThan(reading)) {
                reading = fresh;
            }
        });
    }

    /**
     * Returns a position in the wait queue for a waiter that has waited since the given moment: the last one, while the
     * nodes' clocks are unknown. A client has one position for each resource and mode: that of its longest waiter.
     * Null: so few nodes can notify this client that it has to poll.
     */
    @Nullable
    WaitTicket ticket(String resource, Moment since, boolean fair, LockMode mode) {
        if (!sets.isMajority(ableToNotify())) {
            return null;
        }
        Reading known = reading;
        WaitTicket own = new WaitTicket(name, known == null ? WaitTicket.LAST : known.at(since), fair, mode);
        long first = numbers(resource, own.entry()).min().orElse(WaitTicket.LAST);
        return first < own.number() ? new WaitTicket(name, first, fair, mode) : own;
    }
}
