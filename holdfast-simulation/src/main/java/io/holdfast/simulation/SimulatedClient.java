package io.holdfast.simulation;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A process that takes locks, on a machine of its own. */
final class SimulatedClient {

    private final String name;
    private final MachineTime time;
    private final List<Link> links = new ArrayList<>();
    private final Holdfast holdfast;
    private boolean dead;

    /** Connects to the nodes; each link has lanes of its own. */
    SimulatedClient(
            String name,
            VirtualTime world,
            double rate,
            List<SimulatedNode> nodes,
            Supplier<Lane> lanes,
            HoldfastOptions options,
            RandomGenerator random,
            Observer observer) {
        this.name = name;
        this.time = new MachineTime(world, rate);
        nodes.forEach(node -> links.add(new Link(this, node, lanes.get(), lanes.get(), observer)));
        this.holdfast = Holdfast.over(links, options, time, random);
    }

    String name() {
        return name;
    }

    MachineTime time() {
        return time;
    }

    Holdfast holdfast() {
        return holdfast;
    }

    /** Its way to a node, in the order of the nodes. */
    Link link(int node) {
        return links.get(node);
    }

    List<Link> links() {
        return links;
    }

    /** The process ends without a word. */
    void kill() {
        dead = true;
        time.end();
        links.forEach(Link::close);
    }

    boolean isDead() {
        return dead;
    }
}
