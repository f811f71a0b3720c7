package io.holdfast.quorum;

import io.holdfast.node.Access;
import io.holdfast.node.LockNode;
import io.holdfast.node.Ticket;
import io.holdfast.node.Wake;
import io.holdfast.time.Moment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where the nodes tell this client that it may have a lock: one inbox for all that it waits for. It also issues the tickets, whose
 * numbers go by the nodes' clocks and not by this machine's, so that a client with a wrong clock neither goes before others
 * nor waits for ever.
 *
 * <p>Thread-safe.
 */
final class Inbox {

    /** Tells clients of one process apart that were given the same random numbers. */
    private static final AtomicLong COUNT = new AtomicLong();

    /** How fast a reading gets worse: clocks that run apart by this share, and some have to be set. */
    private static final long CLOCKS_DIFFER_BY_ONE_IN = 100;

    private final String name;
    private final List<LockNode> nodes;
    private final Map<String, Set<Waiter>> waiters = new ConcurrentHashMap<>();
    private volatile @Nullable Reading reading;

    /** Somebody who waits for a lock. */
    interface Waiter {

        /** A node has something to tell; on a thread that must not be blocked. */
        void wake(int node, Wake wake);
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
    Inbox(RandomGenerator random, List<LockNode> nodes) {
        this.name = Long.toString(random.nextLong() >>> 1, Character.MAX_RADIX) + "-" + COUNT.incrementAndGet();
        this.nodes = nodes;
    }

    /** Begins to listen to all nodes. */
    void open() {
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            nodes.get(i).listen(name, wake -> tell(node, wake));
        }
    }

    private void tell(int node, Wake wake) {
        waiters.getOrDefault(wake.resource(), Set.of()).forEach(waiter -> waiter.wake(node, wake));
    }

    void add(String resource, Waiter waiter) {
        waiters.compute(resource, (same, set) -> {
            Set<Waiter> all = set == null ? new CopyOnWriteArraySet<>() : set;
            all.add(waiter);
            return all;
        });
    }

    void remove(String resource, Waiter waiter) {
        waiters.computeIfPresent(resource, (same, set) -> {
            set.remove(waiter);
            return set.isEmpty() ? null : set;
        });
    }

    /** Takes note of the nodes' clocks, where a round was told them. */
    void learn(Outcome outcome, Moment sent, Moment answered) {
        outcome.clockMicros().ifPresent(micros -> {
            Reading fresh = Reading.between(sent, answered, micros);
            if (fresh.isBetterThan(reading)) {
                reading = fresh;
            }
        });
    }

    /**
     * A place in line for somebody who has waited since that moment: the last one, while the nodes' clocks are not known. Null: so few
     * nodes can tell this client anything that it has to ask again and again.
     */
    @Nullable
    Ticket ticket(Moment since, boolean fair, Access access) {
        if (nodes.stream().filter(LockNode::wakes).count() <= nodes.size() / 2) {
            return null;
        }
        Reading known = reading;
        return new Ticket(name, known == null ? Ticket.LAST : known.at(since), fair, access);
    }
}
