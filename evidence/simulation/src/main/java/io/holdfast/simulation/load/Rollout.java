package io.holdfast.simulation.load;

import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.Membership;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Changes the nodes without a stop, again and again: replaces the clients of the previous nodes by clients of both
 * sets, one after another, then by clients of the present nodes, and back. A client that is replaced has some time to
 * release its locks, or ends at once.
 */
public final class Rollout implements Observer {

    private static final List<Membership> STEPS =
            List.of(Membership.PREVIOUS, Membership.BOTH, Membership.PRESENT, Membership.BOTH);

    private static final long PAUSE_NANOS = 500_000_000;

    private final World world;
    private final Consumer<SimulatedClient> retire;
    private final Runnable add;
    private final SplittableRandom random;
    /** The locks that clients of one set have been granted, and clients of both have not since. */
    private final Set<String> apart = new HashSet<>();
    /** When the last client of another kind ended. */
    private Moment completeSince;

    private int step;
    private boolean over = true;

    /**
     * Creates a rollout that has not begun.
     *
     * @param retire lets a client ask for no more locks
     * @param add adds a client with the {@linkplain #wanted wanted} nodes
     */
    public Rollout(World world, Consumer<SimulatedClient> retire, Runnable add) {
        this.world = world;
        this.completeSince = world.time().now();
        this.retire = retire;
        this.add = add;
        this.random = world.random().split();
    }

    /** Returns the nodes that a client has which starts now. */
    public Membership wanted() {
        return STEPS.get(step % STEPS.size());
    }

    public void begin() {
        over = false;
        afterPause();
    }

    public void end() {
        over = true;
    }

    /**
     * A set of nodes does not know the tokens of the other one. So a lock passes through clients of both sets, or the
     * order of the tokens would depend on the clocks.
     */
    @Override
    public void granted(ObservedLease holding) {
        if (holding.client().membership() != Membership.BOTH) {
            apart.add(holding.resource());
        } else if (isComplete()) {
            apart.remove(holding.resource());
        }
    }

    private void afterPause() {
        world.time().schedule(Duration.ofNanos(random.nextLong(PAUSE_NANOS)), () -> {
            if (!over) {
                next();
                afterPause();
            }
        });
    }

    private void next() {
        SimulatedClient other = world.clients().stream()
                .filter(client -> !client.isDead() && client.membership() != wanted() && !client.isLeaving())
                .findFirst()
                .orElse(null);
        if (other != null) {
            replace(other);
        } else if (!isComplete()) {
            completeSince = world.time().now();
        } else if (wanted() != Membership.BOTH || mayGoOn()) {
            step++;
            world.report(Observer::changed);
        }
    }

    /** A client of one set may have left a lock that its nodes retain, which clients of the other set do not see. */
    private boolean mayGoOn() {
        Duration passed = world.time().now().since(completeSince);
        return apart.isEmpty() && passed.compareTo(world.options().maxLease()) > 0;
    }

    private boolean isComplete() {
        return world.clients().stream().allMatch(client -> client.isDead() || client.membership() == wanted());
    }

    private void replace(SimulatedClient client) {
        add.run();
        client.leave();
        retire.accept(client);
        Duration left = random.nextInt(3) == 0 ? Duration.ZERO : world.options().maxLease();
        world.time().schedule(left, () -> {
            if (!client.isDead()) {
                client.kill();
                world.report(to -> to.struck(new Fault(client.name(), Fault.CLOSED)));
            }
        });
    }
}
