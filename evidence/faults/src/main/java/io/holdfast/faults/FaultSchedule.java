package io.holdfast.faults;

import io.holdfast.Holdfast;
import io.holdfast.admin.NodeChange;
import io.holdfast.admin.NodeChange.Access;
import io.holdfast.node.NodeAnswer;
import io.holdfast.servers.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the faults of a plan: each server is healthy for a random time, then fails for a random time, repeatedly. */
final class FaultSchedule {

    private static final int LONGEST_WITHOUT_THREADS_MILLIS = 1_000;
    private static final Duration LONGEST_PAUSE_OF_A_CHANGE = Duration.ofSeconds(1);
    private static final long PAUSE_OF_A_STEP_MILLIS = 50;
    /** The remedy in the message if the record of the change is lost. */
    private static final String FORGOTTEN = "nodes next --again";

    private final FaultPlan plan;
    private final ServerSets servers;
    private final Clients clients;
    private final Map<FaultKind, Integer> made = new EnumMap<>(FaultKind.class);

    FaultSchedule(FaultPlan plan, ServerSets servers, Clients clients) {
        this.plan = plan;
        this.servers = servers;
        this.clients = clients;
    }

    /** Returns the number of faults of each kind made so far. */
    synchronized Map<FaultKind, Integer> made() {
        return new EnumMap<>(made);
    }

    /** Runs the phase and returns when it is over and all servers are healthy again. */
    void run(int phase) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<FaultyServer> all = servers.all();
        for (int i = 0; i < all.size(); i++) {
            FaultyServer server = all.get(i);
            Random random = new Random((plan.seed() * 1_000_003 + phase) * 31 + i);
            threads.add(new Thread(() -> failServer(server, random), "faults-" + i));
        }
        Random forClients = new Random(plan.seed() * 1_000_003 + phase);
        threads.add(new Thread(() -> failClients(forClients), "faults-clients"));
        if (plan.changes()) {
            Random forChange = new Random(plan.seed() * 1_000_003 + phase + 1);
            List<Thread> others = List.copyOf(threads);
            threads.add(new Thread(() -> changeServers(others, forChange), "faults-change"));
        }
        AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
        for (Thread thread : threads) {
            thread.setUncaughtExceptionHandler((failed, reason) -> broken.compareAndSet(null, reason));
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable reason = broken.get();
        if (reason != null) {
            throw new IllegalStateException("a fault could not be made, so the servers had fewer faults", reason);
        }
    }

    private void failServer(FaultyServer server, Random random) {
        List<FaultKind> kinds =
                plan.kinds().stream().filter(FaultKind::strikesServers).toList();
        long end = System.nanoTime() + plan.phase().toNanos();
        try {
            while (System.nanoTime() < end && !kinds.isEmpty()) {
                Thread.sleep(upTo(plan.longestPause(), random));
                FaultKind kind = kinds.get(random.nextInt(kinds.size()));
                server.fail(kind, random);
                count(kind);
                Thread.sleep(upTo(FaultPlan.LONGEST_FAULT, random));
                server.heal();
            }
        } catch (InterruptedException e) {
            server.heal();
            Thread.currentThread().interrupt();
        }
    }

    private void failClients(Random random) {
        List<FaultKind> kinds = plan.kinds().stream()
                .filter(FaultKind::strikesClients)
                .filter(kind -> kind != FaultKind.FAIL_THREADS || clients.canFailThreads())
                .toList();
        long end = System.nanoTime() + plan.phase().toNanos();
        try {
            while (System.nanoTime() < end && !kinds.isEmpty()) {
                Thread.sleep(upTo(plan.longestPause(), random));
                int client = random.nextInt(FaultPlan.PROCESSES);
                FaultKind kind = kinds.get(random.nextInt(kinds.size()));
                count(kind);
                if (kind == FaultKind.CUT_OFF) {
                    cutOff(client, plan.lease().toMillis() + upTo(plan.lease(), random));
                } else if (kind == FaultKind.FAIL_THREADS) {
                    failThreads(client, random.nextInt(LONGEST_WITHOUT_THREADS_MILLIS));
                } else {
                    clients.replace(client);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes steps until there are no other faults. */
    private void changeServers(List<Thread> others, Random random) {
        try {
            while (others.stream().anyMatch(Thread::isAlive)) {
                replaceAll(random);
                count(FaultKind.CHANGE_SET);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Replaces all clients by clients of the next step. On the way to both sets, one client is left that has the
     * previous one alone, when that set is closed to it.
     */
    private void replaceAll(Random random) throws InterruptedException {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, FaultPlan.PROCESSES).boxed().toList());
        Collections.shuffle(order, random);
        if (servers.areBoth()) {
            change(FaultSchedule::isComplete);
            servers.advance();
            replace(order, random);
        } else {
            int last = order.remove(0);
            servers.advance();
            change(state -> state.present() == Access.BOTH);
            replace(order, random);
            change(state -> state.previous() == Access.BOTH);
            Thread.sleep(plan.lease().toMillis());
            replace(List.of(last), random);
        }
    }

    /** A server that has missed the last step would grant no lock to clients of its set alone. */
    private static boolean isComplete(NodeChange.State state) {
        return state.present() == Access.ALL && ofPresent(state).allMatch(Access.ALL::equals);
    }

    /** An administrator completes the last step if a server has missed it, as docs/operations.md says. */
    void completeStep() throws InterruptedException {
        if (plan.changes() && !servers.areBoth()) {
            change(state -> ofPresent(state).noneMatch(Access.BOTH::equals));
        }
    }

    private static Stream<@Nullable Access> ofPresent(NodeChange.State state) {
        return state.nodes().subList(0, state.presentNodes()).stream().map(NodeAnswer::value);
    }

    private void replace(List<Integer> order, Random random) throws InterruptedException {
        for (int client : order) {
            clients.replace(client);
            Thread.sleep(upTo(LONGEST_PAUSE_OF_A_CHANGE, random));
        }
    }

    /** Takes steps of the change until the servers accept the wanted clients; faults keep some from being taken. */
    private void change(Predicate<NodeChange.State> isWanted) throws InterruptedException {
        long end = System.nanoTime() + plan.phase().plus(Eventually.BOUND).toNanos();
        try (Holdfast administrator = servers.connect()) {
            NodeChange change = administrator.admin().change();
            while (!isWanted.test(change.state())) {
                try {
                    change.next();
                } catch (IllegalStateException failed) {
                    if (System.nanoTime() - end >= 0) {
                        throw failed;
                    } else if (String.valueOf(failed.getMessage()).contains(FORGOTTEN)) {
                        restart(change);
                    }
                }
                Thread.sleep(PAUSE_OF_A_STEP_MILLIS);
            }
        }
    }

    /** A set whose servers have all lost their data has no record of the change. */
    private static void restart(NodeChange change) {
        try {
            change.restart();
        } catch (IllegalStateException noMajority) {
            // The next step fails as well, and is tried again.
        }
    }

    private void cutOff(int client, long millis) throws InterruptedException {
        try {
            servers.all().forEach(server -> server.cutOff(client));
            Thread.sleep(millis);
        } finally {
            servers.all().forEach(server -> server.reconnect(client));
        }
    }

    /** Meanwhile, no client is started: a Java that cannot start a thread ends. */
    private void failThreads(int client, int millis) throws InterruptedException {
        synchronized (clients) {
            try {
                clients.threads(client).fail();
                servers.all().forEach(server -> server.reset(client));
                Thread.sleep(millis);
            } finally {
                clients.threads(client).recover();
            }
        }
    }

    synchronized void count(FaultKind kind) {
        made.merge(kind, 1, Integer::sum);
    }

    private static long upTo(Duration longest, Random random) {
        return random.nextLong(longest.toMillis()) + 1;
    }
}
