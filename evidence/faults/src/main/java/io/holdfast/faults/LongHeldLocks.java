package io.holdfast.faults;

import io.holdfast.Holdfast;
import io.holdfast.node.NodeStatus;
import io.holdfast.servers.Eventually;
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
 * get a key of each of these locks, and no renewed lease may be lost while servers are restarted one after another.
 */
final class LongHeldLocks {

    private static final long PAUSE_MILLIS = 20;

    private final FaultPlan plan;
    private final ServerSets servers;
    private final Clients clients;
    private final Witness witness;
    private final List<String> resources;
    private int missing;

    LongHeldLocks(FaultPlan plan, ServerSets servers, Clients clients, Witness witness) {
        this.plan = plan;
        this.servers = servers;
        this.clients = clients;
        this.witness = witness;
        this.resources = Stream.concat(
                        IntStream.range(0, FaultPlan.PROCESSES).mapToObj(FaultPlan::own),
                        Stream.of(FaultPlan.CONTENDED))
                .toList();
    }

    /** Returns how often a healthy server had no key of a lock. */
    int missing() {
        return missing;
    }

    /** Checks that each client uses each server, and returns after how many milliseconds they did. */
    long check() throws IOException, InterruptedException {
        clients.hold();
        long begun = System.nanoTime();
        awaitKeys(servers.inUse());
        long elapsed = System.nanoTime() - begun;
        clients.release();
        return elapsed / 1_000_000;
    }

    /**
     * Restarts all servers as docs/operations.md describes it: each one only after the previous one votes again and
     * every lease has been renewed. A lease that has not been renewed may be on two servers of three, and may be lost.
     */
    void roll(Random random) throws IOException, InterruptedException {
        List<FaultyServer> inUse = servers.inUse();
        List<FaultyServer> order = new ArrayList<>(inUse);
        Collections.shuffle(order, random);
        clients.hold();
        awaitKeys(inUse);
        try (Holdfast observer = servers.connect()) {
            for (FaultyServer server : order) {
                witness.forbidLosses(plan.lease().dividedBy(2));
                server.restart(random);
                awaitVotes(observer);
                awaitKeys(List.of(server));
                Thread.sleep(plan.lease().toMillis());
            }
        }
        witness.allowLosses();
        clients.release();
    }

    private static void awaitVotes(Holdfast observer) throws InterruptedException {
        long end = System.nanoTime() + Eventually.BOUND.toNanos();
        while (!allVote(observer) && System.nanoTime() - end < 0) {
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static boolean allVote(Holdfast observer) {
        return Stream.concat(observer.admin().standings().stream(), observer.previousNodes().stream())
                .allMatch(NodeStatus::votes);
    }

    /** Waits until these servers have keys of all long-held locks, and counts the missing ones. */
    private void awaitKeys(List<FaultyServer> checked) throws InterruptedException {
        long end = System.nanoTime() + Eventually.BOUND.toNanos();
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
                        .map(resource ->
                                resource + " is not on server " + servers.all().indexOf(server)))
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
