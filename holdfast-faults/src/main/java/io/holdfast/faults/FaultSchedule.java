package io.holdfast.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes the faults of a plan: each server sits healthy for a random time, then fails for a random time, on and on. */
final class FaultSchedule {

    private final FaultPlan plan;
    private final List<FaultyServer> servers;
    private final Map<FaultKind, Integer> made = new EnumMap<>(FaultKind.class);

    FaultSchedule(FaultPlan plan, List<FaultyServer> servers) {
        this.plan = plan;
        this.servers = servers;
    }

    /** How many faults of each kind were made so far. */
    synchronized Map<FaultKind, Integer> made() {
        return new EnumMap<>(made);
    }

    /** Returns when the phase is over and all servers are healthy again. */
    void run(int phase) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            FaultyServer server = servers.get(i);
            Random random = new Random((plan.seed() * 1_000_003 + phase) * 31 + i);
            threads.add(new Thread(() -> torment(server, random), "faults-" + i));
        }
        if (plan.kinds().contains(FaultKind.CUT_OFF)) {
            Random random = new Random(plan.seed() * 1_000_003 + phase);
            threads.add(new Thread(() -> cutClientsOff(random), "faults-clients"));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void torment(FaultyServer server, Random random) {
        List<FaultKind> kinds =
                plan.kinds().stream().filter(kind -> kind != FaultKind.CUT_OFF).toList();
        long end = System.nanoTime() + plan.phase().toNanos();
        try {
            while (System.nanoTime() < end && !kinds.isEmpty()) {
                Thread.sleep(upTo(plan.longestPause(), random));
                FaultKind kind = kinds.get(random.nextInt(kinds.size()));
                server.fail(kind, random);
                count(kind);
                Thread.sleep(upTo(plan.longestFault(), random));
                server.heal();
            }
        } catch (InterruptedException e) {
            server.heal();
            Thread.currentThread().interrupt();
        }
    }

    private void cutClientsOff(Random random) {
        long end = System.nanoTime() + plan.phase().toNanos();
        while (System.nanoTime() < end) {
            int client = random.nextInt(plan.processes());
            try {
                Thread.sleep(upTo(plan.longestPause(), random));
                servers.forEach(server -> server.cutOff(client));
                count(FaultKind.CUT_OFF);
                Thread.sleep(plan.lease().toMillis() + upTo(plan.lease(), random));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                servers.forEach(server -> server.reconnect(client));
            }
        }
    }

    private synchronized void count(FaultKind kind) {
        made.merge(kind, 1, Integer::sum);
    }

    private static long upTo(Duration longest, Random random) {
        return random.nextLong(longest.toMillis()) + 1;
    }
}
