package io.holdfast.testkit;

import static io.holdfast.servers.Eventually.eventually;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Waits for what the library does with a lease by itself. */
public final class LeaseWatch {

    private LeaseWatch() {}

    /** Returns when each lease has been extended again: only then does its remaining time grow. */
    public static void awaitExtension(Collection<Lease> leases) {
        Map<Lease, Duration> waiting = new HashMap<>();
        leases.forEach(lease -> waiting.put(lease, lease.remaining()));
        eventually("all leases are extended", () -> {
            waiting.entrySet().removeIf(entry -> entry.getKey().remaining().compareTo(entry.getValue()) > 0);
            waiting.replaceAll((lease, before) -> lease.remaining());
            return waiting.isEmpty();
        });
    }
}
