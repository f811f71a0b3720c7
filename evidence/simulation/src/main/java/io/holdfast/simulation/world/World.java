package io.holdfast.simulation.world;

import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.QuorumConfig;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.world.SimulatedClient.Membership;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Machines and the networks between them, on one thread. Everything in it follows from its seed and the calls made to
 * it.
 */
public final class World {

    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random;
    private final HoldfastOptions options;
    private final List<SimulatedNode> nodes;
    private final int presentNodes;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final Violations violations = new Violations(time);
    private final Broadcast observers = new Broadcast();
    private Network network;
    private int disruptions;
    /** When the last message of the network before this one arrives. */
    private long settledNanos;

    /**
     * Creates a world without clients.
     *
     * @param rates the rate of each node's clock; its length is the number of nodes
     * @param options the options that all clients share
     */
    public World(long seed, List<Double> rates, HoldfastOptions options, Network network) {
        this(seed, rates, 0, options, network);
    }

    /**
     * Creates a world with two sets of nodes.
     *
     * @param previous how many of the nodes, the last ones, are of the previous set
     */
    public World(long seed, List<Double> rates, int previous, HoldfastOptions options, Network network) {
        this.presentNodes = rates.size() - previous;
        this.random = new SplittableRandom(seed);
        this.options = options;
        this.network = network;
        observers.add(new Disruptions());
        boolean guarded = options.restarts() == RestartPolicy.QUARANTINE;
        this.nodes = IntStream.range(0, rates.size())
                .mapToObj(i -> new SimulatedNode("node-" + (i + 1), time, rates.get(i), guarded))
                .toList();
    }

    public VirtualTime time() {
        return time;
    }

    public SplittableRandom random() {
        return random;
    }

    public HoldfastOptions options() {
        return options;
    }

    public List<SimulatedNode> nodes() {
        return nodes;
    }

    /** Returns the nodes that clients of this kind have. */
    public List<SimulatedNode> nodes(Membership membership) {
        return switch (membership) {
            case PREVIOUS -> nodes.subList(presentNodes, nodes.size());
            case BOTH -> nodes;
            case PRESENT -> nodes.subList(0, presentNodes);
        };
    }

    /** Returns whether there are two sets of nodes, between which the clients are changed. */
    public boolean isChanging() {
        return presentNodes < nodes.size();
    }

    /** Begins a change: the present nodes accept only clients of both sets, before the first client starts. */
    public void beginChange() {
        QuorumConfig previous = new QuorumConfig(nodes(Membership.PREVIOUS).size(), options.maxLease());
        QuorumConfig closed = new QuorumConfig(presentNodes, options.maxLease()).beside(previous);
        nodes(Membership.PRESENT).forEach(node -> agree(node, closed));
        nodes(Membership.PREVIOUS).forEach(node -> agree(node, previous));
    }

    private static void agree(SimulatedNode node, QuorumConfig config) {
        NodeAdmin admin = node.memory().admin();
        admin.agreement()
                .thenCompose(now ->
                        admin.agree(now.mark(), new NodeAdmin.Agreement(config, "1:change/begun", FencingToken.NONE)));
    }

    /** Returns the set of this node. */
    public List<SimulatedNode> setOf(SimulatedNode node) {
        List<SimulatedNode> present = nodes(Membership.PRESENT);
        return present.contains(node) ? present : nodes(Membership.PREVIOUS);
    }

    public List<SimulatedClient> clients() {
        return clients;
    }

    public Violations violations() {
        return violations;
    }

    /** Reports an event of the run to all observers. */
    public void report(Consumer<Observer> event) {
        observers.report(event);
    }

    public void add(Observer observer) {
        observers.add(observer);
        observer.enter(this);
    }

    /** Starts a process on a new machine, connected to the nodes of the present set. */
    public SimulatedClient addClient(double rate) {
        return addClient(rate, Membership.PRESENT);
    }

    /** Starts a process on a new machine, connected to these nodes. */
    public SimulatedClient addClient(double rate, Membership membership) {
        SplittableRandom own = random.split();
        SimulatedClient client = new SimulatedClient(
                "client-" + (clients.size() + 1),
                time,
                rate,
                membership,
                nodes(membership == Membership.PREVIOUS ? membership : Membership.PRESENT),
                membership == Membership.BOTH ? nodes(Membership.PREVIOUS) : List.of(),
                () -> new Channel(time, own, network),
                options,
                own.split(),
                observers);
        clients.add(client);
        return client;
    }

    /** Changes the network for all messages from now on. */
    public void become(Network newNetwork) {
        network = newNetwork;
        disruptions++;
        clients.stream().flatMap(client -> client.channels().stream()).forEach(channel -> {
            settledNanos = Math.max(settledNanos, channel.lastArrivalNanos());
            channel.become(newNetwork);
        });
    }

    /**
     * Returns the number of faults and network changes; negative while messages may be lost, or may wait for one that
     * an earlier network has delayed.
     */
    public int disruptions() {
        boolean isSettled = time.now().nanos() >= settledNanos;
        return network.equals(Network.GOOD) && isSettled ? disruptions : -disruptions;
    }

    public void advance(Duration duration) {
        time.advance(duration);
    }

    /** Counts what may disturb the participants. */
    private final class Disruptions implements Observer {

        @Override
        public void struck(Fault fault) {
            disruptions += fault.isHarmless() ? 0 : 1;
        }
    }
}
