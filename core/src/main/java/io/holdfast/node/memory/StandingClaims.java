package io.holdfast.node.memory;

import io.holdfast.node.Claim;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The standing claims of an in-memory node: the claims of refused waiters, one for each entry of a wait queue. Not
 * thread-safe.
 */
final class StandingClaims {

    /** By resource and entry. */
    private final Map<String, Map<String, Stored>> claims = new HashMap<>();

    private long sweptMicros;

    /** A claim that was refused at this time of the node's clock. */
    private record Stored(Claim claim, ClaimProcessor.Sender sender, long sinceMicros) {

        boolean isFresh(long nowMicros) {
            long age = nowMicros - sinceMicros;
            return age >= 0 && age <= Durations.toMicros(claim.standingAge());
        }
    }

    void clear() {
        claims.clear();
    }

    /** Stores the claim of an entry; it replaces an earlier one. */
    void store(String entry, Claim claim, ClaimProcessor.Sender sender, Moment now) {
        dropStale(claim, now.wallMicros());
        claims.computeIfAbsent(claim.resource(), same -> new HashMap<>())
                .put(entry, new Stored(claim, sender, now.wallMicros()));
    }

    /** Drops the claims that no node may carry out any more, from time to time: {@link #fresh} does not return them. */
    private void dropStale(Claim claim, long nowMicros) {
        long age = nowMicros - sweptMicros;
        if (age >= 0 && age <= Durations.toMicros(claim.standingAge())) {
            return;
        }
        sweptMicros = nowMicros;
        claims.values().removeIf(all -> {
            all.values().removeIf(stored -> !stored.isFresh(nowMicros));
            return all.isEmpty();
        });
    }

    void drop(String resource, String entry) {
        Map<String, Stored> all = claims.get(resource);
        if (all != null) {
            all.remove(entry);
        }
    }

    /** Drops the claim of an attempt that has ended. A later claim of the same client stays. */
    void withdraw(Claim ended) {
        Map<String, Stored> all = claims.get(ended.resource());
        if (all != null) {
            all.values().removeIf(stored -> stored.claim().owner().equals(ended.owner()));
        }
    }

    /**
     * Returns the claim of the entry if it is recent, was sent to this run of the node, and by a client that the node
     * still accepts; otherwise null.
     */
    @Nullable
    Claim fresh(String resource, String entry, int run, NodeMarker marker, Moment now) {
        Stored stored = claims.getOrDefault(resource, Map.of()).get(entry);
        return stored != null
                        && stored.sender().run() == run
                        && marker.accepts(stored.sender().config())
                        && stored.isFresh(now.wallMicros())
                ? stored.claim()
                : null;
    }
}
