package io.holdfast.console.view;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The jobs as they were read last. Thread-safe. */
final class JobTable {

    /**
     * Older rows do not say what runs now: readings have failed, or no viewer was there for a while. Two readings may
     * be this far apart if nodes are silent.
     */
    private static final long FRESH_NANOS = 30_000_000_000L;

    private List<Map<String, Object>> rows = List.of();
    private long readNanos;
    private String error = "";

    /**
     * The rows for a viewer.
     *
     * @param error why the last reading failed; empty if it did not
     */
    record Shown(List<Map<String, Object>> rows, String error) {}

    synchronized void read(List<Map<String, Object>> read, long nanos) {
        rows = read;
        readNanos = nanos;
        error = "";
    }

    synchronized void failed(String cause) {
        error = cause;
    }

    synchronized Shown shown(long nanos) {
        boolean isOld = nanos - readNanos > FRESH_NANOS;
        return new Shown(isOld ? rows.stream().map(JobTable::outdated).toList() : rows, error);
    }

    private static Map<String, Object> outdated(Map<String, Object> row) {
        Map<String, Object> old = new HashMap<>(row);
        old.put("running", false);
        old.put("complete", false);
        if (row.get("runs") instanceof List<?> runs) {
            old.put("runs", runs.stream().map(JobTable::ofUnknownEnd).toList());
        }
        return old;
    }

    private static Object ofUnknownEnd(Object run) {
        if (!(run instanceof Map<?, ?> fields) || !"running".equals(fields.get("status"))) {
            return run;
        }
        Map<Object, Object> unknown = new HashMap<>(fields);
        unknown.put("status", "unknown");
        return unknown;
    }
}
