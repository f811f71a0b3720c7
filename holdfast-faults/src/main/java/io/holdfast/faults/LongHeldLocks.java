package io.holdfast.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Locks that are held for a long time: one for each client, and one that all clients request. Every healthy server must
 * get a key of each of these locks, and none may be lost while servers are restarted one after another.
 */
final class LongHeldLocks {

    private static final long PAUSE_MILLIS = 20;

    private final FaultPlan plan;
    private final List<FaultyServer> servers;
    private final Clients clients;
    private final Witness witness;
    private final List<String> resources;
    private int missing;

    LongHeldLocks(FaultPlan plan, List<FaultyServer> servers, Clients clients, Witness witness) {
        this.plan = plan;
        this.servers = servers;
        this.clients = clients;
        this.witness = witness;
        this.resources = Stream.concat(
                        IntStream.range(0, plan.processes()).mapToObj(FaultPlan::own), Stream.of(FaultPlan.CONTENDED))
                .toList();
    }

    /** Returns how often a healthy server had no key of a lock. */
    int missing() {
        return missing;
    }

    /** Checks that each client uses each server. */
    void check() throws IOException, InterruptedException {
        clients.hold();
        awaitKeys(servers);
        clients.release();
    }

    /**
     * Restarts all servers; each one only after the previous one has its keys again and all clients could acquire their
     * locks.
     */
    void roll(Random random) throws IOException, InterruptedException {
        List<FaultyServer> order = new ArrayList<>(servers);
        Collections.shuffle(order, random);
        clients.hold();
        awaitKeys(servers);
        witness.allowLosses(false);
        for (FaultyServer server : order) {
            server.restart(random);
            awaitKeys(List.of(server));
            Thread.sleep(plan.lease().toMillis());
        }
        witness.allowLosses(true);
        clients.release();
    }

    /** Waits until these servers have keys of all long-held locks, and counts the missing ones. */
    private void awaitKeys(List<FaultyServer> checked) throws InterruptedException {
        long end = System.nanoTime() + plan.recoveryBound().toNanos();
        List<String> missingKeys = missingKeys(checked);
        while (!missingKeys.isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(PAUSE_MILLIS);
            missingKeys = missingKeys(checked);
        }
        missingKeys.forEach(System.err::println);
        missing += missingKeys.size();
    }

    private List<String> missingKeys(List<FaultyServer> checked) {
        return checked.stream()
                .flatMap(server -> resources.stream()
                        .filter(resource -> !has(server, resource))
                        .map(resource -> resource + " is not on server " + servers.indexOf(server)))
                .toList();
    }

    private static boolean has(FaultyServer server, String resource) {
        try {
            return server.has(resource);
        } catch (UncheckedIOException unreachable) {
            return false;
        }
    }
}
