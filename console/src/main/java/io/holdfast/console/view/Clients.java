package io.holdfast.console.view;

import io.holdfast.console.json.Json;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.NodeLockStatus.Waiter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Clients as fields of a row. */
final class Clients {

    private Clients() {}

    static Map<String, Object> fields(String id, @Nullable ClientDescription described) {
        return described == null
                ? Json.fields("id", id)
                : Json.fields(
                        "id", id,
                        "name", described.name(),
                        "pid", described.pid(),
                        "since", described.since().toEpochMilli());
    }

    /** Returns a waiter; its time is that of the wait. */
    static Map<String, Object> fields(Waiter waiter, @Nullable ClientDescription described) {
        Map<String, Object> fields = fields(waiter.client(), described);
        fields.remove("since");
        waiter.since().map(Instant::toEpochMilli).ifPresent(since -> fields.put("since", since));
        return fields;
    }

    /** Returns the name of a client, or its id if it has none. */
    static String name(String id, @Nullable ClientDescription described) {
        return described == null ? id : described.name();
    }
}
