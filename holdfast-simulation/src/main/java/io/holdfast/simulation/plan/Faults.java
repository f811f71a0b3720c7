package io.holdfast.simulation.plan;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Every fault that a run may have. An interval says how much time lies between two of a kind on one machine on average;
 * {@link #NEVER}: there are none.
 *
 * @param network how messages travel while there is trouble
 * @param crash a node's process ends, and another one begins after a while
 * @param forgetting which share of these, and of the restarts at once, has lost its memory, 0 to 1
 * @param anyMayForget whether any number of nodes may forget at the same time; otherwise so few that the others know all fences
 * @param flush a node forgets everything and goes on, only as many at the same time as may forget; and, as often, it loses the
 *     key of one lock that all nodes keep
 * @param freeze a node hangs for a while
 * @param reset a connection is lost
 * @param partition a client and a node do not reach each other, in one direction or both
 * @param cutOff a client reaches no node
 * @param pause a client's process is stopped
 * @param suspension a client's machine is suspended, and its monotonic clock with it
 * @param wallStep a client's wall clock is set, by up to an hour
 * @param kill a client's process ends, and another one begins
 * @param spread by how much the clocks' rates differ from the world's, 0.004: at most 0.4 %
 * @param nodeStep outside the assumptions: a node's clock is set forward by up to a minute
 * @param eviction outside the assumptions: a node drops the keys of its locks
 * @param longest how long at most a fault lasts
 */
public record Faults(
        Network network,
        Duration crash,
        double forgetting,
        boolean anyMayForget,
        Duration flush,
        Duration freeze,
        Duration reset,
        Duration partition,
        Duration cutOff,
        Duration pause,
        Duration suspension,
        Duration wallStep,
        Duration kill,
        double spread,
        Duration nodeStep,
        Duration eviction,
        Duration longest) {

    public static final Duration NEVER = Duration.ofDays(36_525);

    /** Nothing goes wrong. */
    public static final Faults NONE = new Faults(
            Network.GOOD,
            NEVER,
            0,
            false,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            NEVER,
            0,
            NEVER,
            NEVER,
            Duration.ofSeconds(1));

    /** Whatever may happen while the assumptions hold: all kinds, or some of them, rarely or often. */
    static Faults drawn(SplittableRandom random, boolean anyMayForget, boolean strict, double spread) {
        Network network = new Network(
                Duration.ofNanos(200_000 + random.nextInt(10_000_000)),
                Duration.ofMillis(1 + random.nextInt(4_000)),
                share(random, 0.05),
                share(random, 0.1),
                share(random, 0.1),
                share(random, 0.3));
        // Were a clock set back while the machine is suspended, nobody on it could know how long that was.
        boolean suspends = random.nextBoolean();
        return new Faults(
                network,
                interval(random),
                random.nextDouble(),
                anyMayForget,
                interval(random),
                interval(random),
                interval(random),
                interval(random),
                interval(random),
                interval(random),
                suspends ? interval(random) : NEVER,
                // Unless strict, clients' clocks stand in for fences that nobody can tell, and have to be right.
                strict && !suspends ? interval(random) : NEVER,
                interval(random),
                spread * random.nextDouble(),
                NEVER,
                NEVER,
                Duration.ofMillis(100L << random.nextInt(7)));
    }

    /** The same, and nodes' clocks are set forward: outside the assumptions. */
    public Faults withNodeStep(Duration newNodeStep) {
        return new Faults(
                network,
                crash,
                forgetting,
                anyMayForget,
                flush,
                freeze,
                reset,
                partition,
                cutOff,
                pause,
                suspension,
                wallStep,
                kill,
                spread,
                newNodeStep,
                eviction,
                longest);
    }

    /** The same, and nodes drop their locks: outside the assumptions. */
    public Faults withEviction(Duration newEviction) {
        return new Faults(
                network,
                crash,
                forgetting,
                anyMayForget,
                flush,
                freeze,
                reset,
                partition,
                cutOff,
                pause,
                suspension,
                wallStep,
                kill,
                spread,
                nodeStep,
                newEviction,
                longest);
    }

    /** The same, and any number of nodes crash, so many of them without their memory afterwards. */
    public Faults withCrash(Duration newCrash, double newForgetting) {
        return new Faults(
                network,
                newCrash,
                newForgetting,
                true,
                flush,
                freeze,
                reset,
                partition,
                cutOff,
                pause,
                suspension,
                wallStep,
                kill,
                spread,
                nodeStep,
                eviction,
                longest);
    }

    /** The same, and clients are stopped, for up to so long. */
    public Faults withPause(Duration newPause, Duration newLongest) {
        return new Faults(
                network,
                crash,
                forgetting,
                anyMayForget,
                flush,
                freeze,
                reset,
                partition,
                cutOff,
                newPause,
                suspension,
                wallStep,
                kill,
                spread,
                nodeStep,
                eviction,
                newLongest);
    }

    /** The same faults, in a network that carries many messages. */
    Faults forManyMessages() {
        return new Faults(
                network.forManyMessages(),
                crash,
                forgetting,
                anyMayForget,
                flush,
                freeze,
                reset,
                partition,
                cutOff,
                pause,
                suspension,
                wallStep,
                kill,
                spread,
                nodeStep,
                eviction,
                longest);
    }

    private static double share(SplittableRandom random, double greatest) {
        return random.nextInt(3) == 0 ? 0 : greatest * random.nextDouble();
    }

    /** From four seconds to about four minutes; in every third run there is none of this kind. */
    private static Duration interval(SplittableRandom random) {
        return random.nextInt(3) == 0 ? NEVER : Duration.ofMillis(4_000L << random.nextInt(7));
    }
}
