package io.holdfast.simulation.load;

import io.holdfast.simulation.world.CarriedOutClaims;
import io.holdfast.simulation.world.Channel;
import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Interrupts clients for less than a third of the time for which the nodes store their leases: stops the process, or
 * cuts it off from all nodes. No lease may be lost by that. A lease that was handed over is stored for a short time
 * until the hand-over limit and an exchange have passed.
 */
public final class Interruptions implements Observer {

    private static final int PARTS = 3;
    /** The first length of a lease that was handed over. It outlives an interruption of a second. */
    private static final Duration FIRST_LEASE = Duration.ofSeconds(3);

    /** The hand-over limit, an exchange over a good network, and some commands that are written before. */
    private static final Duration EXTENDED_WITHIN = Duration.ofMillis(30);

    /** A connection whose messages were lost is closed within a second, and replaced. */
    private static final Duration REST = Duration.ofSeconds(2);

    private static final int MOMENTS = 20;
    private static final int WAYS = 3;

    private final World world;
    private final Duration lease;
    private final SplittableRandom random;
    private final CarriedOutClaims carriedOut;
    private final List<Held> held = new ArrayList<>();
    private final Set<SimulatedClient> resting = new HashSet<>();
    private boolean on;

    private record Held(ObservedLease holding, long sinceNanos) {}

    /** Creates interruptions that have not begun, of leases with this length. */
    public Interruptions(World world, CarriedOutClaims carriedOut, Duration lease, long seed) {
        this.world = world;
        this.carriedOut = carriedOut;
        this.lease = lease;
        this.random = new SplittableRandom(seed);
    }

    public void begin() {
        on = true;
    }

    /** Prevents further interruptions; the last ones end within a third of the lease. */
    public void end() {
        on = false;
    }

    @Override
    public void granted(ObservedLease holding) {
        held.removeIf(other -> !other.holding.isValid());
        held.add(new Held(holding, nanos()));
        if (on) {
            interruptAt(drawn(), holding.client());
        }
    }

    /**
     * Draws a moment after a grant: at once, when a short lease has been extended, just before an extension is due, or
     * any moment within a lease. Most leases are released before, so the first is rare.
     */
    private Duration drawn() {
        return switch (random.nextInt(MOMENTS)) {
            case 0 -> Duration.ZERO;
            case 1, 2, 3, 4, 5, 6 -> EXTENDED_WITHIN;
            case 7, 8, 9, 10, 11, 12 -> lease.dividedBy(PARTS).minus(upTo(EXTENDED_WITHIN));
            default -> upTo(lease);
        };
    }

    private void interruptAt(Duration delay, SimulatedClient client) {
        if (delay.isZero()) {
            interrupt(client);
        } else {
            world.time().schedule(delay, () -> interrupt(client));
        }
    }

    private void interrupt(SimulatedClient client) {
        Duration third = longest(client);
        boolean may = on && !third.isZero() && !client.isDead() && client.time().isRunning();
        if (!may || !resting.add(client)) {
            return;
        }
        Duration length = third.minus(upTo(third.dividedBy(PARTS))).minusMillis(1);
        report(client, Fault.INTERRUPTED);
        int way = random.nextInt(WAYS);
        List<Channel> lanes = way == 0 ? List.of() : client.channels();
        if (way == 0) {
            client.time().stop();
        }
        lanes.forEach(Channel::close);
        world.time().schedule(length, () -> {
            report(client, Fault.RESUMED);
            lanes.forEach(lane -> lane.open(way == 1));
            if (way == 0 && !client.isDead()) {
                client.time().goOn();
            }
        });
        world.time().schedule(length.plus(REST).plus(upTo(REST)), () -> resting.remove(client));
    }

    /** Returns the length below which an interruption may not lose a lease of the client; zero if it has none. */
    private Duration longest(SimulatedClient client) {
        return held.stream()
                .filter(one -> one.holding.client().equals(client) && one.holding.isValid())
                .map(this::stored)
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO)
                .dividedBy(PARTS);
    }

    /** Returns the time for which the nodes have to store the lease by now. */
    private Duration stored(Held one) {
        boolean isShort = carriedOut.include(one.holding)
                && nanos() - one.sinceNanos < EXTENDED_WITHIN.toNanos()
                && lease.compareTo(FIRST_LEASE) > 0;
        return isShort ? FIRST_LEASE : lease;
    }

    private void report(SimulatedClient client, String what) {
        Fault fault = new Fault(client.name(), what);
        world.report(to -> to.struck(fault));
    }

    private Duration upTo(Duration longest) {
        return Duration.ofNanos(random.nextLong(longest.toNanos()));
    }

    private long nanos() {
        return world.time().now().nanos();
    }
}
