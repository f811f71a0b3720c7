package io.holdfast.simulation.load;

import io.holdfast.lease.Owner;
import io.holdfast.simulation.plan.Faults;
import io.holdfast.simulation.plan.Faults.Kind;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.world.Channel;
import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.Link;
import io.holdfast.simulation.world.MachineTime;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.World;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Injects faults into the machines and networks of a world, each kind independently. When it is stopped, it heals all
 * of them.
 */
public final class FaultInjector {

    private final World world;
    private final Faults faults;
    private final List<String> resources;
    private final Supplier<SimulatedClient> replacement;
    private final VirtualTime time;
    private final SplittableRandom random;
    private final List<Runnable> healings = new ArrayList<>();
    private boolean over;

    /**
     * Creates an injector that has not started.
     *
     * @param resources the resources that are locked
     * @param replacement creates the client that replaces one that has ended
     */
    public FaultInjector(World world, Faults faults, List<String> resources, Supplier<SimulatedClient> replacement) {
        this.world = world;
        this.faults = faults;
        this.resources = resources;
        this.replacement = replacement;
        this.time = world.time();
        this.random = world.random().split();
    }

    public void begin() {
        world.become(faults.network());
        for (SimulatedNode node : world.nodes()) {
            every(Kind.CRASH, () -> crash(node));
            every(Kind.FLUSH, () -> flush(node));
            every(Kind.FLUSH, () -> deleteKey(node));
            every(Kind.FREEZE, () -> freeze(node));
            every(Kind.NODE_STEP, () -> stepForward(node));
            every(Kind.EVICTION, () -> evict(node));
        }
        List.copyOf(world.clients()).forEach(this::beginFor);
    }

    /** Schedules the faults that may strike one client. */
    public void beginFor(SimulatedClient client) {
        if (over || client.isDead()) {
            return;
        }
        every(Kind.PAUSE, () -> stop(client, "paused", false));
        every(Kind.SUSPENSION, () -> stop(client, "suspended", true));
        every(Kind.WALL_STEP, () -> stepWallClock(client));
        every(Kind.KILL, () -> kill(client));
        every(Kind.CUT_OFF, () -> cut(client.name(), "cut off", client.channels()));
        for (Link link : client.links()) {
            every(Kind.RESET, () -> reset(client, link));
            every(Kind.PARTITION, () -> partition(client, link));
        }
    }

    private void every(Kind kind, Runnable fault) {
        Duration interval = faults.every(kind);
        if (interval.compareTo(Faults.NEVER) >= 0) {
            return;
        }
        time.schedule(Duration.ofNanos(random.nextLong(2 * interval.toNanos())), () -> {
            if (!over) {
                fault.run();
                every(kind, fault);
            }
        });
    }

    /** Ends a fault after a while, or when all faults end. */
    private void heal(Runnable healing) {
        healings.add(healing);
        time.schedule(Duration.ofNanos(random.nextLong(faults.longest().toNanos())), () -> {
            if (healings.remove(healing)) {
                healing.run();
            }
        });
    }

    public void end() {
        over = true;
        while (!healings.isEmpty()) {
            healings.remove(0).run();
        }
        world.become(Network.GOOD);
    }

    private void crash(SimulatedNode node) {
        if (!node.isUp() || !mayStayOut(node)) {
            return;
        }
        boolean forgets = random.nextDouble() < faults.forgetting() && mayForget(node);
        report(new Fault(node.name(), "crashed"));
        node.crash();
        Runnable start = () -> {
            node.start(!forgets);
            report(new Fault(node.name(), forgets ? "started empty" : "started with its memory"));
        };
        if (random.nextInt(3) == 0) {
            start.run();
        } else {
            heal(start);
        }
    }

    private void flush(SimulatedNode node) {
        if (node.isUp() && mayStayOut(node) && mayForget(node)) {
            node.flush();
            report(new Fault(node.name(), "flushed"));
        }
    }

    /**
     * Deletes the key of a lock that all nodes hold for one owner, and the others for at least as long: a majority
     * keeps it.
     */
    private void deleteKey(SimulatedNode node) {
        String resource = resources.get(random.nextInt(resources.size()));
        Owner owner = node.memory().ownerOf(resource);
        Duration left = node.memory().timeLeft(resource);
        boolean isOnAll = world.setOf(node).stream()
                .map(SimulatedNode::memory)
                .allMatch(memory -> memory.isHeldBy(owner, resource)
                        && memory.timeLeft(resource).compareTo(left) >= 0);
        if (isOnAll && world.setOf(node).size() > 1) {
            node.memory().evict(resource);
            world.report(to -> to.deleted(node, resource));
            report(new Fault(node.name(), "key of " + resource + " deleted"));
        }
    }

    /** Returns whether enough other nodes know the fences that this node may be about to forget. */
    private boolean mayStayOut(SimulatedNode node) {
        return faults.anyMayForget() || othersRemember(node);
    }

    /** If a majority forgot which clients the set accepts, it would accept all of them. */
    private boolean mayForget(SimulatedNode node) {
        return !world.isChanging() || othersRemember(node);
    }

    private boolean othersRemember(SimulatedNode node) {
        int nodes = world.setOf(node).size();
        long out = world.setOf(node).stream()
                .filter(other -> !other.equals(node))
                .filter(other -> !other.isUp() || !other.memory().votes())
                .count();
        return out + 1 <= nodes - (nodes / 2 + 1);
    }

    private void freeze(SimulatedNode node) {
        report(new Fault(node.name(), "frozen"));
        node.freeze();
        heal(() -> {
            node.thaw();
            report(new Fault(node.name(), "thawed"));
        });
    }

    private void stepForward(SimulatedNode node) {
        Duration step = Duration.ofMillis(random.nextInt(60_000));
        node.time().stepWallClock(step);
        report(new Fault(node.name(), "clock +" + step.toMillis() + " ms"));
    }

    private void evict(SimulatedNode node) {
        node.memory().evict();
        report(new Fault(node.name(), "evicted its locks"));
    }

    private void stop(SimulatedClient client, String how, boolean monotonicClockStops) {
        MachineTime machine = client.time();
        if (!machine.isRunning()) {
            return;
        }
        report(new Fault(client.name(), how));
        machine.stop();
        long begun = time.now().nanos();
        heal(() -> {
            if (client.isDead()) {
                return;
            }
            if (monotonicClockStops) {
                machine.skipMonotonicClock(Duration.ofNanos(time.now().nanos() - begun));
            }
            report(new Fault(client.name(), "goes on"));
            machine.goOn();
        });
    }

    private void stepWallClock(SimulatedClient client) {
        Duration step = Duration.ofMillis(random.nextInt(7_200_000) - 3_600_000);
        client.time().stepWallClock(step);
        report(new Fault(client.name(), "clock " + step.toMillis() + " ms"));
    }

    private void kill(SimulatedClient client) {
        if (!client.isDead() && !client.isLeaving()) {
            client.kill();
            report(new Fault(client.name(), "killed"));
            beginFor(replacement.get());
        }
    }

    private void reset(SimulatedClient client, Link link) {
        link.reset();
        report(new Fault(between(client, link), "reset"));
    }

    private void partition(SimulatedClient client, Link link) {
        int direction = random.nextInt(3);
        List<Channel> lanes = new ArrayList<>();
        if (direction != 1) {
            lanes.add(link.requests());
        }
        if (direction != 2) {
            lanes.add(link.replies());
        }
        String what = direction == 0 ? "cut" : direction == 1 ? "no replies" : "no requests";
        cut(between(client, link), what, lanes);
    }

    private void cut(String where, String what, List<Channel> lanes) {
        report(new Fault(where, what));
        lanes.forEach(Channel::close);
        boolean loses = random.nextBoolean();
        heal(() -> {
            report(new Fault(where, "joined"));
            lanes.forEach(lane -> lane.open(loses));
        });
    }

    private static String between(SimulatedClient client, Link link) {
        return client.name() + " → " + link.name();
    }

    private void report(Fault fault) {
        world.report(to -> to.struck(fault));
    }
}
