package io.holdfast.simulation.world;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A process that acquires locks, on its own machine. */
public final class SimulatedClient {

    private final String name;
    private final MachineTime time;
    private final List<Link> links = new ArrayList<>();
    private final Holdfast holdfast;
    private boolean dead;

    /** Connects to the nodes; each link has its own channels. */
    SimulatedClient(
            String name,
            VirtualTime world,
            double rate,
            List<SimulatedNode> nodes,
            Supplier<Channel> lanes,
            HoldfastOptions options,
            RandomGenerator random,
            Broadcast observers) {
        this.name = name;
        this.time = new MachineTime(name, world, rate);
        nodes.forEach(node -> links.add(new Link(this, node, lanes.get(), lanes.get(), observers)));
        this.holdfast = Holdfast.over(links, options, time, random);
    }

    public String name() {
        return name;
    }

    public MachineTime time() {
        return time;
    }

    public Holdfast holdfast() {
        return holdfast;
    }

    /** Returns the links to the nodes, in the order of the nodes. */
    public Link link(int node) {
        return links.get(node);
    }

    public List<Link> links() {
        return links;
    }

    /** Returns both channels of each link, in the order of the nodes. */
    public List<Channel> channels() {
        return links.stream()
                .flatMap(link -> Stream.of(link.requests(), link.replies()))
                .toList();
    }

    /** Ends the process without closing its client. */
    public void kill() {
        dead = true;
        time.end();
        links.forEach(Link::close);
    }

    public boolean isDead() {
        return dead;
    }
}
