package io.holdfast.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes the faults of a plan: each server is healthy for a random time, then fails for a random time, repeatedly. */
final class FaultSchedule {

    private static final int LONGEST_WITHOUT_THREADS_MILLIS = 1_000;

    private final FaultPlan plan;
    private final List<FaultyServer> servers;
    private final Clients clients;
    private final Map<FaultKind, Integer> made = new EnumMap<>(FaultKind.class);

    FaultSchedule(FaultPlan plan, List<FaultyServer> servers, Clients clients) {
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
        for (int i = 0; i < servers.size(); i++) {
            FaultyServer server = servers.get(i);
            Random random = new Random((plan.seed() * 1_000_003 + phase) * 31 + i);
            threads.add(new Thread(() -> failServer(server, random), "faults-" + i));
        }
        Random forClients = new Random(plan.seed() * 1_000_003 + phase);
        threads.add(new Thread(() -> failClients(forClients), "faults-clients"));
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
                Thread.sleep(upTo(FaultPlan.LONGEST_PAUSE, random));
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
                Thread.sleep(upTo(FaultPlan.LONGEST_PAUSE, random));
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

    private void cutOff(int client, long millis) throws InterruptedException {
        try {
            servers.forEach(server -> server.cutOff(client));
            Thread.sleep(millis);
        } finally {
            servers.forEach(server -> server.reconnect(client));
        }
    }

    private void failThreads(int client, int millis) throws InterruptedException {
        try {
            clients.threads(client).fail();
            servers.forEach(server -> server.reset(client));
            Thread.sleep(millis);
        } finally {
            clients.threads(client).recover();
        }
    }

    synchronized void count(FaultKind kind) {
        made.merge(kind, 1, Integer::sum);
    }

    private static long upTo(Duration longest, Random random) {
        return random.nextLong(longest.toMillis()) + 1;
    }
}
