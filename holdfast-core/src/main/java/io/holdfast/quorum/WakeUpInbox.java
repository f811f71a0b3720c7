package io.holdfast.quorum;

import io.holdfast.lease.LockMode;
import io.holdfast.node.LockNode;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the nodes tell this client that it may have a lock: one inbox for all that it waits for. It also issues the tickets, whose
 * numbers go by the nodes' clocks and not by this machine's, so that a client with a wrong clock neither goes before others
 * nor waits for ever.
 *
 * <p>Thread-safe.
 */
public final class WakeUpInbox {

    /** Tells clients of one process apart that were given the same random numbers. */
    private static final AtomicLong COUNT = new AtomicLong();

    /** How fast a reading gets worse: clocks that run apart by this share, and some have to be set. */
    private static final long CLOCKS_DIFFER_BY_ONE_IN = 100;

    /** How soon a connection is noticed that was replaced while clients wait. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    private final String name;
    private final List<LockNode> nodes;
    private final Time time;
    private final Map<String, Set<Subscriber>> waiters = new ConcurrentHashMap<>();
    private final AtomicBoolean checking = new AtomicBoolean();
    private final BitSet notifying = new BitSet();
    private volatile @Nullable Reading reading;

    /** A waiter of this client that has a position in the nodes' wait queues. All methods are called on threads that must not be blocked. */
    public interface Subscriber {

        /** A node has sent a notification. */
        void wake(int node, WakeUp wake);

        /** Its position, or null. */
        @Nullable
        WaitTicket ticket();

        /** Its position may have been lost on some nodes: it should ask again soon. */
        void rejoin();
    }

    /**
     * What the nodes' clocks showed, at a moment of this machine's monotonic clock that is known to within {@code roundTripNanos}: it
     * was after the claim was sent and before the answer came, most likely in the middle.
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

        /** A long round trip says little, and so does a reading from long ago. */
        boolean isBetterThan(@Nullable Reading other) {
            return other == null
                    || roundTripNanos <= other.roundTripNanos + (nanos - other.nanos) / CLOCKS_DIFFER_BY_ONE_IN;
        }
    }

    /** An inbox whose name is no other's. The random part comes first, so that a simulation orders names as its seed says. */
    WakeUpInbox(RandomGenerator random, List<LockNode> nodes, Time time) {
        this.name = Long.toString(random.nextLong() >>> 1, Character.MAX_RADIX) + "-" + COUNT.incrementAndGet();
        this.nodes = nodes;
        this.time = time;
    }

    /** Begins to listen to all nodes. */
    void open() {
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            nodes.get(i).listen(name, wake -> tell(node, wake));
        }
    }

    private void tell(int node, WakeUp wake) {
        waiters.getOrDefault(wake.resource(), Set.of()).forEach(waiter -> waiter.wake(node, wake));
    }

    public void add(String resource, Subscriber waiter) {
        waiters.compute(resource, (same, set) -> {
            Set<Subscriber> all = set == null ? new CopyOnWriteArraySet<>() : set;
            all.add(waiter);
            return all;
        });
        if (checking.compareAndSet(false, true)) {
            look();
            time.schedule(CHECK_INTERVAL, this::check);
        }
    }

    /**
     * Looks whether a node can notify this client again that could not before: its connection was replaced, and notifications may be
     * lost. To ask a node for that also renews the subscription. It goes on as long as there are waiters.
     */
    private void check() {
        if (look()) {
            waiters.values().forEach(set -> set.forEach(Subscriber::rejoin));
        }
        if (!waiters.isEmpty()) {
            time.schedule(CHECK_INTERVAL, this::check);
            return;
        }
        checking.set(false);
        if (!waiters.isEmpty() && checking.compareAndSet(false, true)) {
            time.schedule(CHECK_INTERVAL, this::check);
        }
    }

    /** Notes which nodes can notify this client; returns whether one can that could not before. */
    private synchronized boolean look() {
        boolean back = false;
        for (int i = 0; i < nodes.size(); i++) {
            boolean canNotify = nodes.get(i).canNotify();
            back |= canNotify && !notifying.get(i);
            notifying.set(i, canNotify);
        }
        return back;
    }

    /** Whether a waiter of this client has this position in the wait queue of the resource. */
    boolean isQueued(String resource, WaitTicket ticket) {
        return queuedAt(resource, ticket.entry()).findAny().isPresent();
    }

    /** Lets the waiters of this client enter the wait queue again at this position, which another attempt of it has given up. */
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

    public void remove(String resource, Subscriber waiter) {
        waiters.computeIfPresent(resource, (same, set) -> {
            set.remove(waiter);
            return set.isEmpty() ? null : set;
        });
    }

    /** Takes note of the nodes' clocks, where a round was told them. */
    public void learn(Outcome outcome, Moment sent, Moment answered) {
        outcome.clockMicros().ifPresent(micros -> {
            Reading fresh = Reading.between(sent, answered, micros);
            if (fresh.isBetterThan(reading)) {
                reading = fresh;
            }
        });
    }

    /**
     * A position in the wait queue for a waiter that has waited since that moment: the last one, while the nodes' clocks are not known.
     * A client has one position for each resource and mode: that of its waiter that has waited longest. Null: so few nodes can notify
     * this client that it has to ask again and again.
     */
    @Nullable
    public WaitTicket ticket(String resource, Moment since, boolean fair, LockMode mode) {
        if (nodes.stream().filter(LockNode::canNotify).count() <= nodes.size() / 2) {
            return null;
        }
        Reading known = reading;
        WaitTicket own = new WaitTicket(name, known == null ? WaitTicket.LAST : known.at(since), fair, mode);
        long first = numbers(resource, own.entry()).min().orElse(WaitTicket.LAST);
        return first < own.number() ? new WaitTicket(name, first, fair, mode) : own;
    }
}
