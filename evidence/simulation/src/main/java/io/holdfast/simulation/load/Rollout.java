package io.holdfast.simulation.load;

import io.holdfast.admin.NodeChange;
import io.holdfast.simulation.world.BlockingCalls;
import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedClient.Membership;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Changes the nodes without a stop, again and again, by two administrators who know nothing of each other, and may end
 * within a step. Clients of the previous nodes, of the present ones and of both start and end at any time: no one sees
 * to it that clients of one set alone have ended before those of the other one start.
 */
public final class Rollout {

    private static final List<Membership> KINDS =
            List.of(Membership.BOTH, Membership.PREVIOUS, Membership.BOTH, Membership.PRESENT);

    private static final long PAUSE_NANOS = 500_000_000;

    /** An answer of a node that is not late. */
    private static final Duration ANSWER = Duration.ofMillis(100);

    private final World world;
    private final BlockingCalls blocking;
    private final Consumer<SimulatedClient> retire;
    private final Runnable add;
    private final SplittableRandom random;
    private final List<Administrator> administrators;

    private boolean over = true;

    /**
     * Creates a rollout that has not begun.
     *
     * @param retire lets a client ask for no more locks
     * @param add adds a client with the {@linkplain #wanted wanted} nodes
     */
    public Rollout(World world, BlockingCalls blocking, Consumer<SimulatedClient> retire, Runnable add) {
        this.world = world;
        this.blocking = blocking;
        this.retire = retire;
        this.add = add;
        this.random = world.random().split();
        this.administrators = List.of(new Administrator(), new Administrator());
    }

    /** Returns the nodes that a client has which starts now. One client at least has both sets. */
    public Membership wanted() {
        boolean isServed = world.clients().stream()
                .anyMatch(client -> client.membership() == Membership.BOTH && !client.isDead() && !client.isLeaving());
        return isServed ? KINDS.get(random.nextInt(KINDS.size())) : Membership.BOTH;
    }

    public void begin() {
        over = false;
        repeat(this::deploy);
        administrators.forEach(administrator -> repeat(administrator::act));
    }

    public void end() {
        over = true;
    }

    private void repeat(Runnable action) {
        world.time().schedule(Duration.ofNanos(random.nextLong(2 * PAUSE_NANOS)), () -> {
            if (!over) {
                action.run();
                repeat(action);
            }
        });
    }

    /** Replaces a client by another one. It has some time to release its locks, or ends at once. */
    private void deploy() {
        List<SimulatedClient> live = world.clients().stream()
                .filter(client -> !client.isDead() && !client.isLeaving())
                .toList();
        if (live.isEmpty() || random.nextInt(4) > 0) {
            return;
        }
        SimulatedClient client = live.get(random.nextInt(live.size()));
        client.leave();
        retire.accept(client);
        add.run();
        Duration left = random.nextInt(3) == 0 ? Duration.ZERO : world.options().maxLease();
        world.time().schedule(left, () -> end(client));
    }

    private void end(SimulatedClient client) {
        if (!client.isDead()) {
            client.kill();
            world.report(to -> to.struck(new Fault(client.name(), Fault.CLOSED)));
        }
    }

    /** Goes from one set to the other, step by step, and then perhaps back. */
    private final class Administrator {

        private SimulatedClient client = start();
        private boolean busy;
        private boolean stepping;
        private boolean back;

        private SimulatedClient start() {
            SimulatedClient started = world.addClient(1, Membership.BOTH);
            // No fault but those below ends it, or another client would replace it.
            started.leave();
            started.time().allowBlocking(blocking, random.split());
            return started;
        }

        void act() {
            if (client.isDead()) {
                client = start();
                busy = false;
            }
            if (busy) {
                return;
            }
            busy = true;
            SimulatedClient acting = client;
            acting.time().schedule(Duration.ZERO, () -> {
                if (blocking.mayBlock() || isOtherOneBusy()) {
                    step(acting);
                }
                busy &= !acting.equals(client);
            });
            if (random.nextInt(4) == 0) {
                world.time().schedule(Duration.ofNanos(random.nextLong(4 * PAUSE_NANOS)), () -> end(acting));
            }
        }

        /** A step of the other one may lie within this one; a user would wait too long for the end of this one. */
        private boolean isOtherOneBusy() {
            return administrators.stream().anyMatch(other -> other.stepping);
        }

        private void step(SimulatedClient acting) {
            stepping = true;
            try {
                takeStep(acting);
            } finally {
                stepping = false;
            }
        }

        private void takeStep(SimulatedClient acting) {
            NodeChange change = acting.holdfast().admin().change();
            try {
                NodeChange.State before = blocking.call(ANSWER, false, change::state);
                NodeChange.State after = blocking.call(ANSWER, false, back ? change::back : change::next);
                NodeChange.Access to = back ? after.previous() : after.present();
                if (to == NodeChange.Access.ALL && !isAt(to, before)) {
                    world.report(Observer::changed);
                }
                back ^= random.nextInt(to == NodeChange.Access.ALL ? 2 : 8) == 0;
            } catch (IllegalStateException overtakenOrNoMajority) {
                back ^= random.nextInt(8) == 0;
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }

        private boolean isAt(NodeChange.Access access, NodeChange.State state) {
            return (back ? state.previous() : state.present()) == access;
        }
    }
}
