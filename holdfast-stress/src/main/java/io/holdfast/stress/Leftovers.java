package io.holdfast.stress;

import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Witness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Looks at what remains when all threads have come to rest: on the nodes, in the clients, and of threads. */
final class Leftovers {

    /** Until then the last lease that was handed to nobody has ended, and closed clients have ended their threads. */
    private static final Duration LIMIT = Duration.ofSeconds(6);

    private static final long POLL_MILLIS = 50;
    private static final String CALLBACKS = "holdfast-callback";
    /** Threads that a client library starts when it needs them. */
    private static final int SPARE_THREADS = 8;

    private final Nodes nodes;
    private final Clients clients;
    private final Witness witness;
    private final Findings findings;
    private final EndedWaits endedWaits;
    private final Map<String, Integer> atFirst;
    private Map<String, Integer> threadsAtFirst = Map.of();

    Leftovers(Nodes nodes, Clients clients, Witness witness, Findings findings) {
        this.nodes = nodes;
        this.clients = clients;
        this.witness = witness;
        this.findings = findings;
        this.endedWaits = new EndedWaits(nodes, findings);
        this.atFirst = Insides.of(clients.all().get(0));
    }

    /** Waits until nothing is left; reports what is left after all. */
    void check() throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        await(end, Kind.LEFT_ON_NODES, () -> nodes.leftovers(witness.resources()));
        await(end, Kind.LEFT_IN_CLIENT, this::inClients);
        await(end, Kind.LEFT_THREADS, this::threads);
        endedWaits.check(clients.all().get(0), clients.all().get(1));
        if (threadsAtFirst.isEmpty()) {
            threadsAtFirst = threadsByName();
        }
    }

    private void await(long end, Kind kind, Supplier<List<String>> look) throws InterruptedException {
        List<String> left = look.get();
        while (!left.isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(POLL_MILLIS);
            left = look.get();
        }
        left.forEach(what -> findings.add(kind, what));
    }

    private List<String> inClients() {
        List<String> left = new ArrayList<>();
        for (Client client : clients.all()) {
            Insides.of(client).forEach((name, size) -> {
                if (size > atFirst.getOrDefault(name, 0)) {
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
            int before = threadsAtFirst.getOrDefault(name, count);
            if (count > before + SPARE_THREADS) {
                left.add(count + " threads " + name + ", at first " + before);
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

    /** How many threads of the library and its Redis client there are; those for callbacks come and go. */
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
