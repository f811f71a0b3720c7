package io.holdfast.spring.boot.actuate;

import io.holdfast.Holdfast;
import io.holdfast.event.LockEvent;
import io.holdfast.event.Registration;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The leases that a client holds and the locks that it waits for, as its events report them. Thread-safe. */
final class LeaseTable implements AutoCloseable {

    private final Map<Key, HeldLock> held = new ConcurrentHashMap<>();
    private final Map<String, Integer> waiting = new ConcurrentHashMap<>();
    private final Registration registration;

    /** A lease: shared leases of one lock have different tokens. */
    private record Key(String resource, FencingToken token) {}

    /**
     * A lock that this process holds.
     *
     * @param resource the name of the lock
     * @param shared whether it is held in shared mode
     * @param fencingToken the fencing token of the lease
     * @param since the time of the grant
     */
    record HeldLock(String resource, boolean shared, String fencingToken, Instant since) {}

    LeaseTable(Holdfast holdfast) {
        this.registration = holdfast.onEvent(this::apply);
    }

    private void apply(LockEvent event) {
        if (event instanceof LockEvent.Requested requested) {
            waiting.merge(requested.resource(), 1, Integer::sum);
        } else if (event instanceof LockEvent.Granted granted) {
            answered(granted.resource());
            held.put(new Key(granted.resource(), granted.fencingToken()), describe(granted));
        } else if (event instanceof LockEvent.Refused refused) {
            answered(refused.resource());
        } else if (event instanceof LockEvent.Ended ended) {
            held.remove(new Key(ended.resource(), ended.fencingToken()));
        }
    }

    private void answered(String resource) {
        waiting.computeIfPresent(resource, (name, count) -> count == 1 ? null : count - 1);
    }

    private static HeldLock describe(LockEvent.Granted granted) {
        return new HeldLock(
                granted.resource(),
                granted.mode() == LockMode.SHARED,
                granted.fencingToken().toString(),
                Instant.now());
    }

    /** Returns the leases of this process, sorted by name. */
    List<HeldLock> held() {
        return held.values().stream()
                .sorted(Comparator.comparing(HeldLock::resource))
                .toList();
    }

    /** Returns the number of requests of this process that wait, by lock. */
    Map<String, Integer> waiting() {
        return Map.copyOf(waiting);
    }

    @Override
    public void close() {
        registration.close();
    }
}
