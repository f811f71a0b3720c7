package io.holdfast.simulation.world;

import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.Loss;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.simulation.plan.Network;
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
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<Observer> observers = new ArrayList<>();
    private final Violations violations = new Violations(time);
    private final Observer all = new All();
    private Network network;
    private int disruptions;

    /**
     * Creates a world without clients.
     *
     * @param rates the rate of each node's clock; its length is the number of nodes
     * @param options the options that all clients share
     */
    public World(long seed, List<Double> rates, HoldfastOptions options, Network network) {
        this.random = new SplittableRandom(seed);
        this.options = options;
        this.network = network;
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

    public List<SimulatedClient> clients() {
        return clients;
    }

    public Violations violations() {
        return violations;
    }

    /** Returns an observer that forwards each event to all observers of the run. */
    public Observer observer() {
        return all;
    }

    public void add(Observer observer) {
        observers.add(observer);
        observer.enter(this);
    }

    /** Starts a process on a new machine, connected to all nodes. */
    public SimulatedClient addClient(double rate) {
        SplittableRandom own = random.split();
        SimulatedClient client = new SimulatedClient(
                "client-" + (clients.size() + 1),
                time,
                rate,
                nodes,
                () -> new Channel(time, own, network),
                options,
                own.split(),
                all);
        clients.add(client);
        return client;
    }

    /** Changes the network for all messages from now on. */
    public void become(Network newNetwork) {
        network = newNetwork;
        disruptions++;
        clients.forEach(client -> client.links().forEach(link -> {
            link.requests().become(newNetwork);
            link.replies().become(newNetwork);
        }));
    }

    /** Returns the number of faults and network changes; negative while messages may be lost. */
    public int disruptions() {
        return network.equals(Network.GOOD) ? disruptions : -disruptions;
    }

    public void advance(Duration duration) {
        time.advance(duration);
    }

    private final class All implements Observer {

        private void forward(Consumer<Observer> event) {
            observers.forEach(event);
        }

        @Override
        public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
            forward(observer -> observer.sent(client, node, claim));
        }

        @Override
        public void arrived(SimulatedNode node, Claim claim) {
            forward(observer -> observer.arrived(node, claim));
        }

        @Override
        public void processed(SimulatedNode node, Claim claim, Reply reply) {
            forward(observer -> observer.processed(node, claim, reply));
        }

        @Override
        public void granted(ObservedLease holding) {
            forward(observer -> observer.granted(holding));
        }

        @Override
        public void resumed(ObservedLease holding) {
            forward(observer -> observer.resumed(holding));
        }

        @Override
        public void detached(ObservedLease holding) {
            forward(observer -> observer.detached(holding));
        }

        @Override
        public void released(ObservedLease holding) {
            forward(observer -> observer.released(holding));
        }

        @Override
        public void relied(ObservedLease holding) {
            forward(observer -> observer.relied(holding));
        }

        @Override
        public void wrote(ObservedLease holding, boolean accepted) {
            forward(observer -> observer.wrote(holding, accepted));
        }

        @Override
        public void lost(ObservedLease holding, Loss loss) {
            forward(observer -> observer.lost(holding, loss));
        }

        @Override
        public void releasing(ObservedLease holding) {
            forward(observer -> observer.releasing(holding));
        }

        @Override
        public void struck(Fault fault) {
            disruptions += fault.isOfItsUser() ? 0 : 1;
            forward(observer -> observer.struck(fault));
        }

        @Override
        public void deleted(SimulatedNode node, String resource) {
            forward(observer -> observer.deleted(node, resource));
        }

        @Override
        public void healed() {
            forward(Observer::healed);
        }

        @Override
        public void calm() {
            forward(Observer::calm);
        }

        @Override
        public void ended() {
            forward(Observer::ended);
        }
    }
}
