package io.holdfast.simulation.plan;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Every fault that a run may have.
 *
 * @param network the network while there is trouble
 * @param intervals the average time between two faults of a kind on one machine; a kind without one is disabled
 * @param forgetting the share of crashes, and of restarts at once, that lose the memory, 0 to 1
 * @param anyMayForget whether any number of nodes may forget at the same time; otherwise the remaining nodes know all
 *     fences
 * @param spread the greatest difference between the clocks' rates and the world's; 0.004 is 0.4 %
 * @param longest the longest duration of a fault
 */
public record Faults(
        Network network,
        Map<Kind, Duration> intervals,
        double forgetting,
        boolean anyMayForget,
        double spread,
        Duration longest) {

    /** The kinds of faults that strike one machine or connection, each at its own interval. */
    public enum Kind {
        /** A node's process ends, and another one begins after a while. */
        CRASH,
        /**
         * A node forgets everything and goes on, with the same limit on nodes as a crash; equally often, it loses the
         * key of one lock that all nodes keep.
         */
        FLUSH,
        /** A node hangs for a while. */
        FREEZE,
        /** A connection is lost. */
        RESET,
        /** A client and a node do not reach each other, in one direction or both. */
        PARTITION,
        /** A client reaches no node. */
        CUT_OFF,
        /** A client's process is stopped. */
        PAUSE,
        /** A client's machine is suspended, and its monotonic clock with it. */
        SUSPENSION,
        /** A client's wall clock is set, by up to an hour. */
        WALL_STEP,
        /** A client's process ends, and another one begins. */
        KILL,
        /** Outside the assumptions: a node's clock is set forward by up to a minute. */
        NODE_STEP,
        /** Outside the assumptions: a node drops the keys of its locks. */
        EVICTION
    }

    /** The interval of a kind that is disabled. */
    public static final Duration NEVER = Duration.ofDays(36_525);

    /** A run without faults. */
    public static final Faults NONE = new Faults(Network.GOOD, Map.of(), 0, false, 0, Duration.ofSeconds(1));

    /** Creates faults with a copy of the intervals, in the order of the kinds: a replayed run prints the same. */
    public Faults {
        intervals = Collections.unmodifiableMap(new TreeMap<>(intervals));
    }

    /** Draws faults within the assumptions: all kinds, or some of them, rarely or often. */
    static Faults drawn(SplittableRandom random, boolean anyMayForget, boolean strict, double spread) {
        Network network = new Network(
                Duration.ofNanos(200_000 + random.nextInt(10_000_000)),
                Duration.ofMillis(1 + random.nextInt(4_000)),
                share(random, 0.05),
                share(random, 0.1),
                share(random, 0.1),
                share(random, 0.3));
        // If a clock were set back while the machine is suspended, no process on it could measure the suspension.
        boolean suspends = random.nextBoolean();
        Map<Kind, Duration> intervals = new TreeMap<>();
        intervals.put(Kind.CRASH, interval(random));
        double forgetting = random.nextDouble();
        for (Kind kind : List.of(Kind.FLUSH, Kind.FREEZE, Kind.RESET, Kind.PARTITION, Kind.CUT_OFF, Kind.PAUSE)) {
            intervals.put(kind, interval(random));
        }
        if (suspends) {
            intervals.put(Kind.SUSPENSION, interval(random));
        } else if (strict) {
            // Unless strict, clients' clocks replace the fences that no node can report, and have to be right.
            intervals.put(Kind.WALL_STEP, interval(random));
        }
        intervals.put(Kind.KILL, interval(random));
        double rates = spread * random.nextDouble();
        return new Faults(
                network, intervals, forgetting, anyMayForget, rates, Duration.ofMillis(100L << random.nextInt(7)));
    }

    /** Returns the average time between two faults of this kind on one machine; {@link #NEVER} if it is disabled. */
    public Duration every(Kind kind) {
        return intervals.getOrDefault(kind, NEVER);
    }

    /** Returns these faults with another interval of one kind. */
    public Faults with(Kind kind, Duration interval) {
        Map<Kind, Duration> changed = new TreeMap<>(intervals);
        changed.put(kind, interval);
        return new Faults(network, changed, forgetting, anyMayForget, spread, longest);
    }

    /** Returns these faults with crashes of any number of nodes; the given share of the crashes loses the memory. */
    public Faults withCrash(Duration interval, double newForgetting) {
        return new Faults(network, with(Kind.CRASH, interval).intervals, newForgetting, true, spread, longest);
    }

    /** Returns these faults with pauses of clients, up to the given length. */
    public Faults withPause(Duration interval, Duration newLongest) {
        return new Faults(network, with(Kind.PAUSE, interval).intervals, forgetting, anyMayForget, spread, newLongest);
    }

    /** Returns these faults in a network that carries many messages. */
    Faults forManyMessages() {
        return new Faults(network.forManyMessages(), intervals, forgetting, anyMayForget, spread, longest);
    }

    private static double share(SplittableRandom random, double greatest) {
        return random.nextInt(3) == 0 ? 0 : greatest * random.nextDouble();
    }

    /** Draws an interval from four seconds to about four minutes; in every third run, the kind is disabled. */
    private static Duration interval(SplittableRandom random) {
        return random.nextInt(3) == 0 ? NEVER : Duration.ofMillis(4_000L << random.nextInt(7));
    }
}
