package io.holdfast.stress.client;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/** The connected clients. Each represents a process; sometimes one is closed and another takes its place. */
public final class Clients implements AutoCloseable {

    public static final int COUNT = 3;

    private final Nodes nodes;
    private final AtomicLong seeds;
    private final AtomicReferenceArray<Client> clients = new AtomicReferenceArray<>(COUNT);
    private final AtomicInteger replaced = new AtomicInteger();

    public Clients(Nodes nodes, long seed) {
        this.nodes = nodes;
        this.seeds = new AtomicLong(seed);
        for (int i = 0; i < COUNT; i++) {
            clients.set(i, connect());
        }
    }

    private Client connect() {
        return new Client(nodes.connect(seeds.incrementAndGet()));
    }

    public Client any(Random random) {
        return clients.get(random.nextInt(COUNT));
    }

    /** Returns another client than the given one, or that one if there is no other. */
    public Client another(Client than, Random random) {
        int first = random.nextInt(COUNT);
        for (int i = 0; i < COUNT; i++) {
            Client other = clients.get((first + i) % COUNT);
            if (!other.equals(than)) {
                return other;
            }
        }
        return than;
    }

    /** Connects another client in the place of one, and closes that one while threads use it. */
    public void replace(int index) {
        clients.getAndSet(index, connect()).close();
        replaced.incrementAndGet();
    }

    public int replaced() {
        return replaced.get();
    }

    public List<Client> all() {
        return IntStream.range(0, COUNT).mapToObj(clients::get).toList();
    }

    @Override
    public void close() {
        all().forEach(Client::close);
    }
}
