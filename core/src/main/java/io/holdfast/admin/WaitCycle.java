package io.holdfast.admin;

import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Clients that wait for each other: each one waits for a lock that the next one holds, and the last one for a lock of
 * the first. If the same threads hold and wait, no wait ends before its limit. Immutable.
 *
 * @param steps the waits, from the first client on; at least two
 */
public record WaitCycle(List<Step> steps) {

    /**
     * One wait.
     *
     * @param client the id of the client that waits; {@link LockStatus#clients} describes it
     * @param waitsFor the name of the lock for which it waits, and which the client of the next step holds
     */
    public record Step(String client, String waitsFor) {}

    /** A wait of a client for a lock of another one. */
    private record Edge(String from, String to, String lock) {}

    /** Creates a cycle. */
    public WaitCycle {
        steps = List.copyOf(steps);
    }

    /**
     * Returns the cycles that two readings of locks have in common, with the same holders and waits: one for each set
     * of clients that wait for each other, the shortest one.
     *
     * <p>A client is a process. One whose threads hold some locks and wait for others may be in a cycle that ends as
     * soon as a thread releases its lock. A cycle that lasts longer than the work under these locks is a deadlock.
     *
     * @param before the states of locks, as {@link LockAdmin#list()} returns them
     * @param later the states of these locks some time later, such as a second
     */
    public static List<WaitCycle> in(List<LockStatus> before, List<LockStatus> later) {
        Map<String, LockStatus> first = byName(before);
        Map<String, LockStatus> second = byName(later);
        return in(before).stream()
                .filter(cycle -> cycle.persists(first, second))
                .toList();
    }

    private static Map<String, LockStatus> byName(List<LockStatus> locks) {
        return locks.stream().collect(Collectors.toMap(LockStatus::resource, lock -> lock, (same, again) -> again));
    }

    private static List<WaitCycle> in(List<LockStatus> locks) {
        Map<String, List<Edge>> waits = new LinkedHashMap<>();
        for (LockStatus lock : locks) {
            List<String> holders = lock.held().map(NodeLockStatus::clients).orElse(List.of());
            for (Waiter waiter : lock.queue()) {
                holders.stream()
                        .filter(holder -> !holder.equals(waiter.client()))
                        .forEach(holder -> waits.computeIfAbsent(waiter.client(), client -> new ArrayList<>())
                                .add(new Edge(waiter.client(), holder, lock.resource())));
            }
        }
        List<WaitCycle> cycles = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String client : waits.keySet()) {
            if (!seen.contains(client)) {
                shortest(client, waits).ifPresent(cycle -> {
                    cycle.steps().forEach(step -> seen.add(step.client()));
                    cycles.add(cycle);
                });
            }
        }
        return cycles;
    }

    /** Searches in breadth for a way from a client back to itself. */
    private static Optional<WaitCycle> shortest(String start, Map<String, List<Edge>> waits) {
        Map<String, Edge> reachedBy = new HashMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (Edge edge : waits.getOrDefault(open.remove(), List.of())) {
                if (reachedBy.putIfAbsent(edge.to(), edge) == null) {
                    open.add(edge.to());
                }
            }
        }
        if (!reachedBy.containsKey(start)) {
            return Optional.empty();
        }
        Deque<Step> steps = new ArrayDeque<>();
        String client = start;
        do {
            Edge last = Objects.requireNonNull(reachedBy.get(client));
            steps.addFirst(new Step(last.from(), last.lock()));
            client = last.from();
        } while (!client.equals(start));
        return Optional.of(new WaitCycle(List.copyOf(steps)));
    }

    /** Returns {@code true} if all waits and all holders of this cycle are the same in both states of its locks. */
    private boolean persists(Map<String, LockStatus> before, Map<String, LockStatus> now) {
        return steps.stream().allMatch(step -> {
            LockStatus then = before.get(step.waitsFor());
            LockStatus later = now.get(step.waitsFor());
            return then != null
                    && later != null
                    && holder(then).isPresent()
                    && holder(then).equals(holder(later))
                    && wait(step, then).isPresent()
                    && wait(step, then).equals(wait(step, later));
        });
    }

    private static Optional<String> holder(LockStatus status) {
        return status.held().map(NodeLockStatus::holder);
    }

    private static Optional<Waiter> wait(Step step, LockStatus status) {
        return status.queue().stream()
                .filter(waiter -> waiter.client().equals(step.client()))
                .findFirst();
    }
}
