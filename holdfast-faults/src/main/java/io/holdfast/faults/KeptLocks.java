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
 * Locks that are held for long: one for each client, which nobody else wants, and one that all of them want. Where servers are healthy, each
 * of them has each of these locks in the end, and while they are restarted one after another none is lost.
 */
final class KeptLocks {

    private static final long PAUSE_MILLIS = 20;

    private final FaultPlan plan;
    private final List<FaultyServer> servers;
    private final Clients clients;
    private final Witness witness;
    private final List<String> resources;
    private int missing;

    KeptLocks(FaultPlan plan, List<FaultyServer> servers, Clients clients, Witness witness) {
        this.plan = plan;
        this.servers = servers;
        this.clients = clients;
        this.witness = witness;
        this.resources = Stream.concat(
                        IntStream.range(0, plan.processes()).mapToObj(FaultPlan::own), Stream.of(FaultPlan.WANTED))
                .toList();
    }

    /** How often a lock was not kept by a server that is healthy. */
    int missing() {
        return missing;
    }

    /** Looks whether each client uses each server. */
    void check() throws IOException, InterruptedException {
        clients.keep();
        awaitKeys(servers);
        clients.drop();
    }

    /** Restarts all servers, each of them when the one before has its locks again and all had the time to get theirs. */
    void roll(Random random) throws IOException, InterruptedException {
        List<FaultyServer> order = new ArrayList<>(servers);
        Collections.shuffle(order, random);
        clients.keep();
        awaitKeys(servers);
        witness.allowLosses(false);
        for (FaultyServer server : order) {
            server.restart(random);
            awaitKeys(List.of(server));
            Thread.sleep(plan.lease().toMillis());
        }
        witness.allowLosses(true);
        clients.drop();
    }

    /** Waits until these servers have all kept locks, and counts those that they do not get. */
    private void awaitKeys(List<FaultyServer> where) throws InterruptedException {
        long end = System.nanoTime() + plan.recoveryBound().toNanos();
        List<String> without = without(where);
        while (!without.isEmpty() && System.nanoTime() - end < 0) {
            Thread.sleep(PAUSE_MILLIS);
            without = without(where);
        }
        without.forEach(System.err::println);
        missing += without.size();
    }

    private List<String> without(List<FaultyServer> where) {
        return where.stream()
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
