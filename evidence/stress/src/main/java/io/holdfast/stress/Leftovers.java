package io.holdfast.stress;

import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.node.NodeStatus;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.ClientInternals;
import io.holdfast.stress.client.Clients;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.client.Nodes;
import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Witness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Checks what is left on the nodes, in the clients, and of threads, while all workers are idle. */
final class Leftovers {

    /**
     * The time after which abandoned leases have ended and closed clients have ended their threads, also on a slow
     * machine. It is shorter than the leases that are never abandoned, so a lock that was not released is found.
     */
    static final Duration LIMIT = LockOptions.DEFAULT.lease().dividedBy(2);

    private static final long POLL_MILLIS = 50;
    private static final String CALLBACKS = "holdfast-callback";
    /** The number of threads that a client library may start on demand. */
    private static final int SPARE_THREADS = 8;

    private final Nodes nodes;
    private final Clients clients;
    private final Witness witness;
    private final Findings findings;
    private final EndedWaits endedWaits;
    private final Map<String, Integer> baseline;
    private Map<String, Integer> threadBaseline = Map.of();

    Leftovers(Nodes nodes, Clients clients, Witness witness, Findings findings) {
        this.nodes = nodes;
        this.clients = clients;
        this.witness = witness;
        this.findings = findings;
        this.endedWaits = new EndedWaits(nodes, findings);
        this.baseline = ClientInternals.of(clients.all().get(0));
    }

    /** Waits until nothing is left, and reports what is left at the time limit. */
    void check() throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        await(end, Kind.LEFT_ON_NODES, () -> nodes.leftovers(witness.resources()));
        await(end, Kind.LEFT_IN_CLIENT, this::inClients);
        await(end, Kind.LEFT_THREADS, this::threads);
        for (Client client : clients.all()) {
            requireAlive(client);
        }
        endedWaits.check(clients.all().get(0), clients.all().get(1));
        if (threadBaseline.isEmpty()) {
            threadBaseline = threadsByName();
        }
    }

    private void requireAlive(Client client) throws InterruptedException {
        try (Lease lease = client.holdfast().lock(Names.ALIVE).acquire(LIMIT)) {
            List<NodeStatus> silent = client.holdfast().nodes().stream()
                    .filter(node -> !node.votes())
                    .toList();
            if (!silent.isEmpty()) {
                findings.add(Kind.DEAD_CLIENT, silent + " while " + lease.state());
            }
        } catch (HoldfastException dead) {
            findings.add(Kind.DEAD_CLIENT, dead.toString());
        }
    }

    private void await(long end, Kind kind, Supplier<List<String>> check) throws InterruptedException {
        List<String> left = check.get();
        while (!left.isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(POLL_MILLIS);
            left = check.get();
        }
        left.forEach(what -> findings.add(kind, what));
    }

    private List<String> inClients() {
        List<String> left = new ArrayList<>();
        for (Client client : clients.all()) {
            ClientInternals.of(client).forEach((name, size) -> {
                if (size > baseline.getOrDefault(name, 0)) {
                    left.add(size + " in " + name);
                }
            });
        }
        return left;
    }

    private List<String> threads() {
        List<String> left = new ArrayList<>();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith(CALLBACKS) && !isIdle(stack)) {
                left.add(thread.getName() + " at " + stack[Math.min(stack.length - 1, 8)]);
            }
        });
        threadsByName().forEach((name, count) -> {
            int before = threadBaseline.getOrDefault(name, count);
            if (count > before + SPARE_THREADS) {
                left.add(count + " threads " + name + ", initially " + before);
            }
        });
        return left;
    }

    private static boolean isIdle(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getMethodName().equals("getTask")) {
                return true;
            }
        }
        return stack.length == 0;
    }

    /**
     * Counts the threads of the library and its Redis client by name, except those of callbacks, whose number varies.
     */
    private static Map<String, Integer> threadsByName() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName().replaceAll("[0-9]+", "#");
            boolean counted = name.startsWith("holdfast") || name.startsWith("lettuce") || name.startsWith("jedis");
            if (counted && !name.startsWith(CALLBACKS)) {
                counts.merge(name, 1, Integer::sum);
            }
        }
        return counts;
    }
}
