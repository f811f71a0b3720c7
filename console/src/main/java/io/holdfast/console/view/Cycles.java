package io.holdfast.console.view;

import io.holdfast.admin.LockStatus;
import io.holdfast.admin.LockWatch.ObservedLock;
import io.holdfast.admin.LockWatch.Reading;
import io.holdfast.admin.WaitCycle;
import io.holdfast.console.json.Json;
import io.holdfast.lease.ClientDescription;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The clients that wait for each other in two readings a second apart. Used by one thread. */
final class Cycles {

    private static final Duration APART = Duration.ofSeconds(1);

    private final Deque<Past> past = new ArrayDeque<>();

    private record Past(Moment at, List<LockStatus> locks) {}

    private static boolean isApart(Moment before, Moment now) {
        return now.surelySince(before).compareTo(APART) >= 0;
    }

    /** Takes over a reading, and returns the cycles, each as a list of waits. */
    List<List<Map<String, Object>>> update(Reading reading) {
        Moment now = reading.at();
        List<LockStatus> locks = reading.locks().stream()
                .map(ObservedLock::status)
                .filter(lock -> !lock.queue().isEmpty())
                .toList();
        past.add(new Past(now, locks));
        while (past.size() > 1 && isApart(past.stream().skip(1).findFirst().orElseThrow().at, now)) {
            past.remove();
        }
        Past before = Objects.requireNonNull(past.peek());
        if (locks.isEmpty() || !isApart(before.at, now)) {
            return List.of();
        }
        Map<String, ClientDescription> clients = new HashMap<>();
        locks.forEach(lock -> clients.putAll(lock.clients()));
        return WaitCycle.in(before.locks, locks).stream()
                .map(cycle -> cycle.steps().stream()
                        .map(step -> Json.fields(
                                "client", step.client(),
                                "name", Clients.name(step.client(), clients.get(step.client())),
                                "waitsFor", step.waitsFor()))
                        .toList())
                .toList();
    }
}
