package io.holdfast.redis.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The servers behind the nodes of one client: no server votes twice under two names. Thread-safe. */
public final class DistinctServers {

    private final Map<String, String> runs = new HashMap<>();

    /** Nobody yet. */
    public DistinctServers() {}

    /** Another node that leads to the same process of a server, if there is one; else this one is known by it from now on. */
    synchronized Optional<String> introduce(String name, String run) {
        Optional<String> other = runs.entrySet().stream()
                .filter(known ->
                        !known.getKey().equals(name) && known.getValue().equals(run))
                .map(Map.Entry::getKey)
                .findFirst();
        if (other.isEmpty() && !run.isEmpty()) {
            runs.put(name, run);
        } else {
            runs.remove(name);
        }
        return other;
    }
}
