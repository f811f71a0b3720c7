package io.holdfast.simulation.plan;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Every fault that a run may have. An interval is the average time between two faults of a kind on one machine;
 * {@link #NEVER} disables the kind.
 *
 * @param network the network while there is trouble
 * @param crash a node's process ends, and another one begins after a while
 * @param forgetting the share of these crashes, and of restarts at once, that lose the memory, 0 to 1
 * @param anyMayForget whether any number of nodes may forget at the same time; otherwise the remaining nodes know all
 *     fences
 * @param flush a node forgets everything and goes on, with the same limit on nodes; equally often, it loses the key of
 *     one lock that all nodes keep
 * @param freeze a node hangs for a while
 * @param reset a connection is lost
 * @param partition a client and a node do not reach each other, in one direction or both
 * @param cutOff a client reaches no node
 * @param pause a client's process is stopped
 * @param suspension a client's machine is suspended, and its monotonic clock with it
 * @param wallStep a client's wall clock is set, by up to an hour
 * @param kill a client's process ends, and another one begins
 * @param spread the greatest difference between the clocks' rates and the world's; 0.004 is 0.4 %
 * @param nodeStep outside the assumptions: a node's clock is set forward by up to a minute
 * @param eviction outside the assumptions: a node drops the keys of its locks
 * @param longest the longest duration of a fault
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

    /** A run without faults. */
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
                // Unless strict, clients' clocks replace the fences that no node can report, and have to be right.
                strict && !suspends ? interval(random) : NEVER,
                interval(random),
                spread * random.nextDouble(),
                NEVER,
                NEVER,
                Duration.ofMillis(100L << random.nextInt(7)));
    }

    /** Returns these faults with forward steps of nodes' clocks: outside the assumptions. */
    public Faults withNodeStep(Duration nodeStep) {
        return changed(faults -> faults.nodeStep = nodeStep);
    }

    /** Returns these faults with eviction of locks by nodes: outside the assumptions. */
    public Faults withEviction(Duration eviction) {
        return changed(faults -> faults.eviction = eviction);
    }

    /** Returns these faults with crashes of any number of nodes; the given share of the crashes loses the memory. */
    public Faults withCrash(Duration crash, double forgetting) {
        return changed(faults -> {
            faults.crash = crash;
            faults.forgetting = forgetting;
            faults.anyMayForget = true;
        });
    }

    /** Returns these faults with pauses of clients, up to the given length. */
    public Faults withPause(Duration pause, Duration longest) {
        return changed(faults -> {
            faults.pause = pause;
            faults.longest = longest;
        });
    }

    /** Returns these faults in a network that carries many messages. */
    Faults forManyMessages() {
        return changed(faults -> faults.network = network.forManyMessages());
    }

    private Faults changed(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.faults();
    }

    /** A copy whose components can be changed one by one. */
    private static final class Copy {

        private Network network;
        private Duration crash;
        private double forgetting;
        private boolean anyMayForget;
        private Duration pause;
        private Duration nodeStep;
        private Duration eviction;
        private Duration longest;
        private final Faults original;

        Copy(Faults original) {
            this.original = original;
            this.network = original.network;
            this.crash = original.crash;
            this.forgetting = original.forgetting;
            this.anyMayForget = original.anyMayForget;
            this.pause = original.pause;
            this.nodeStep = original.nodeStep;
            this.eviction = original.eviction;
            this.longest = original.longest;
        }

        Faults faults() {
            return new Faults(
                    network,
                    crash,
                    forgetting,
                    anyMayForget,
                    original.flush,
                    original.freeze,
                    original.reset,
                    original.partition,
                    original.cutOff,
                    pause,
                    original.suspension,
                    original.wallStep,
                    original.kill,
                    original.spread,
                    nodeStep,
                    eviction,
                    longest);
        }
    }

    private static double share(SplittableRandom random, double greatest) {
        return random.nextInt(3) == 0 ? 0 : greatest * random.nextDouble();
    }

    /** Draws an interval from four seconds to about four minutes; in every third run, the kind is disabled. */
    private static Duration interval(SplittableRandom random) {
        return random.nextInt(3) == 0 ? NEVER : Duration.ofMillis(4_000L << random.nextInt(7));
    }
}
