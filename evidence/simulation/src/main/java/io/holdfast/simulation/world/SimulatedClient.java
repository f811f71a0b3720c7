package io.holdfast.simulation.world;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.node.QuorumConfig;
import io.holdfast.quorum.NodeSets;
import io.holdfast.time.VirtualTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A process that acquires locks, on its own machine. */
public final class SimulatedClient {

    /** The sets of nodes that a client has, while the nodes are being changed. */
    public enum Membership {
        PREVIOUS,
        BOTH,
        PRESENT
    }

    private final String name;
    private final MachineTime time;
    private final List<Link> links = new ArrayList<>();
    private final Holdfast holdfast;
    private final Membership membership;
    private final NodeSets sets;
    private boolean leaving;
    private boolean dead;

    /** Connects to the nodes; each link has its own channels. */
    SimulatedClient(
            String name,
            VirtualTime world,
            double rate,
            Membership membership,
            List<SimulatedNode> present,
            List<SimulatedNode> previous,
            Supplier<Channel> lanes,
            HoldfastOptions options,
            RandomGenerator random,
            Broadcast observers) {
        this.name = name;
        this.time = new MachineTime(name, world, rate);
        this.membership = membership;
        this.sets = NodeSets.of(present.size()).withPrevious(previous.size());
        QuorumConfig ofPresent = new QuorumConfig(present.size(), options.maxLease());
        QuorumConfig ofPrevious = new QuorumConfig(previous.size(), options.maxLease());
        QuorumConfig stated = previous.isEmpty() ? ofPresent : ofPresent.beside(ofPrevious);
        present.forEach(node -> links.add(new Link(this, node, stated, lanes.get(), lanes.get(), observers)));
        previous.forEach(node ->
                links.add(new Link(this, node, ofPrevious.beside(ofPresent), lanes.get(), lanes.get(), observers)));
        for (int i = 0; i < Math.min(present.size(), previous.size()); i++) {
            links.get(i).share(links.get(present.size() + i));
        }
        this.holdfast = previous.isEmpty()
                ? Holdfast.over(links, options, time, random)
                : Holdfast.over(
                        links.subList(0, present.size()),
                        links.subList(present.size(), links.size()),
                        options,
                        time,
                        random);
    }

    /** Returns which nodes the client has. */
    public Membership membership() {
        return membership;
    }

    /** Returns whether a majority of each of its sets of nodes is among these. */
    public boolean isMajority(Collection<SimulatedNode> nodes) {
        return sets.isMajority(NodeSets.where(links, link -> nodes.contains(link.node())));
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

    /** Lets the process end soon, since another one has replaced it. */
    public void leave() {
        leaving = true;
    }

    public boolean isLeaving() {
        return leaving;
    }

    public boolean isDead() {
        return dead;
    }
}
