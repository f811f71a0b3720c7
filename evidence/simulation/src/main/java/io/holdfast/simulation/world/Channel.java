package io.holdfast.simulation.world;

import io.holdfast.simulation.plan.Network;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * One direction of the network between a client and a node. Preserves message order unless the network allows disorder.
 */
public final class Channel {

    private final VirtualTime world;
    private final RandomGenerator random;
    private final Deque<Message> held = new ArrayDeque<>();
    private Network network;
    private long lastArrivalNanos;
    private boolean closed;

    /** A message on its way. It is its own task in the world: a run has hundreds of thousands of messages. */
    private final class Message implements Runnable {

        private final Runnable delivery;
        private final Runnable loss;

        Message(Runnable delivery, Runnable loss) {
            this.delivery = delivery;
            this.loss = loss;
        }

        /** Arrives at the end of the network. */
        @Override
        public void run() {
            if (closed) {
                held.add(this);
            } else {
                delivery.run();
            }
        }
    }

    Channel(VirtualTime world, RandomGenerator random, Network network) {
        this.world = world;
        this.random = random;
        this.network = network;
    }

    void become(Network newNetwork) {
        network = newNetwork;
    }

    /** Returns the arrival of the latest message that keeps its order: a message sent before then waits for it. */
    long lastArrivalNanos() {
        return lastArrivalNanos;
    }

    /** Delivers a message after a delay: once, twice or never. If never, the loss callback runs instead. */
    void carry(Runnable delivery, Runnable loss) {
        if (random.nextDouble() < network.loss()) {
            loss.run();
            return;
        }
        carryOnce(new Message(delivery, loss));
        if (random.nextDouble() < network.duplicates()) {
            carryOnce(new Message(delivery, loss));
        }
    }

    private void carryOnce(Message message) {
        long now = world.now().nanos();
        long arrival = now + delayNanos();
        if (random.nextDouble() >= network.disorder()) {
            arrival = Math.max(arrival, lastArrivalNanos);
            lastArrivalNanos = arrival;
        }
        world.schedule(Duration.ofNanos(arrival - now), message);
    }

    private long delayNanos() {
        boolean straggles = random.nextDouble() < network.stragglers();
        Duration longest = straggles ? network.longestDelay() : network.usualDelay();
        return random.nextLong(Math.max(1, longest.toNanos()));
    }

    /** Stops delivery; messages on their way wait. */
    public void close() {
        closed = true;
    }

    /** Resumes delivery: the waiting messages arrive now, or are lost. */
    public void open(boolean losesWhatWaited) {
        closed = false;
        while (!closed && !held.isEmpty()) {
            Message message = held.remove();
            (losesWhatWaited ? message.loss : message.delivery).run();
        }
    }
}
