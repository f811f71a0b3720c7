package io.holdfast.admin;

import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Waiter;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The waits of clients for locks of other clients, in one reading or in all of several. Immutable.
 *
 * @param waits in the order of the locks
 */
record WaitGraph(List<Wait> waits) {

    /**
     * A wait of a client for a lock of another one. Two readings show the same wait if all of this is equal.
     *
     * @param since when the wait began, which distinguishes it from other waits of the client
     * @param mark the mark of the holder, which distinguishes its leases
     */
    private record Wait(String client, Instant since, String lock, String holder, String mark) {}

    /** The time after which clients that still wait for each other are reported. */
    private static final Duration CONFIRMATION = Duration.ofSeconds(1);

    /** Returns the cycles in a reading of locks that a second one, a second later, confirms. */
    static List<WaitCycle> lastingCycles(List<LockStatus> locks, LockReading reading) {
        WaitGraph graph = of(locks);
        List<String> suspects =
                graph.suspects().stream().limit(GroupQuestions.LARGEST_GROUP).toList();
        if (suspects.isEmpty()) {
            return List.of();
        }
        ThreadWait.uninterruptibly(reading.time()::await, new CompletableFuture<>(), CONFIRMATION);
        return graph.common(of(reading.statuses(suspects))).cycles();
    }

    /** Returns the waits in a reading of locks. */
    static WaitGraph of(List<LockStatus> locks) {
        return new WaitGraph(locks.stream().flatMap(WaitGraph::waits).toList());
    }

    private static Stream<Wait> waits(LockStatus lock) {
        NodeLockStatus held = lock.held().orElse(null);
        return held == null
                ? Stream.empty()
                : waiters(lock)
                        .flatMap(waiter -> held.clients().stream()
                                .filter(holder -> !holder.equals(waiter.client()))
                                .map(holder -> new Wait(
                                        waiter.client(),
                                        waiter.since().orElseThrow(),
                                        lock.resource(),
                                        holder,
                                        held.holder())));
    }

    /** Returns those that are queued on a majority of the nodes, which therefore wait, since a known time. */
    private static Stream<Waiter> waiters(LockStatus lock) {
        return lock.queued().filter(waiter -> waiter.since().isPresent());
    }

    /** Returns the waits that are in both readings. */
    WaitGraph common(WaitGraph other) {
        Set<Wait> same = new HashSet<>(other.waits);
        return new WaitGraph(waits.stream().filter(same::contains).toList());
    }

    /** Returns the locks whose waits may belong to a cycle: by a waiter that holds, of a holder that waits. */
    List<String> suspects() {
        Set<String> waiting = waits.stream().map(Wait::client).collect(Collectors.toSet());
        Set<String> holding = waits.stream().map(Wait::holder).collect(Collectors.toSet());
        return waits.stream()
                .filter(wait -> waiting.contains(wait.holder()) && holding.contains(wait.client()))
                .map(Wait::lock)
                .distinct()
                .toList();
    }

    /** Returns one cycle for each set of clients that wait for each other, the shortest one. */
    List<WaitCycle> cycles() {
        Map<String, List<Wait>> byClient =
                waits.stream().collect(Collectors.groupingBy(Wait::client, LinkedHashMap::new, Collectors.toList()));
        List<WaitCycle> cycles = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String client : byClient.keySet()) {
            if (!seen.contains(client)) {
                Collection<Wait> cycle = shortest(client, byClient);
                cycle.forEach(wait -> seen.add(wait.client()));
                if (!cycle.isEmpty()) {
                    cycles.add(new WaitCycle(cycle.stream()
                            .map(wait -> new WaitCycle.Step(wait.client(), wait.since(), wait.lock()))
                            .toList()));
                }
            }
        }
        return cycles;
    }

    /** Searches in breadth for a way from a client back to itself. Returns no wait if there is none. */
    private static Collection<Wait> shortest(String start, Map<String, List<Wait>> waits) {
        Map<String, Wait> reachedBy = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty() && !reachedBy.containsKey(start)) {
            for (Wait wait : waits.getOrDefault(open.remove(), List.of())) {
                if (reachedBy.putIfAbsent(wait.holder(), wait) == null) {
                    open.add(wait.holder());
                }
            }
        }
        Deque<Wait> way = new ArrayDeque<>();
        if (reachedBy.containsKey(start)) {
            String client = start;
            do {
                Wait last = Objects.requireNonNull(reachedBy.get(client));
                way.addFirst(last);
                client = last.client();
            } while (!client.equals(start));
        }
        return way;
    }
}
