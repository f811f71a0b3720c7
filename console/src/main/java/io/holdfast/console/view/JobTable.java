package io.holdfast.console.view;

import io.holdfast.jobs.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The jobs as they were read last. Thread-safe. */
final class JobTable {

    /**
     * Older rows do not say what runs now: readings have failed, or no viewer was there for a while. Two readings may
     * be this far apart if nodes are silent.
     */
    private static final long FRESH_NANOS = 30_000_000_000L;

    private List<JobStatus> jobs = List.of();
    private List<Map<String, Object>> rows = List.of();
    private Instant readAt = Instant.EPOCH;
    private long readNanos;
    private String error = "";

    /**
     * The rows for a viewer.
     *
     * @param error why the last reading failed; empty if it did not
     */
    record Shown(List<Map<String, Object>> rows, String error) {}

    synchronized void read(List<JobStatus> read, Instant at, long nanos) {
        rows = JobRows.of(read, at, true);
        jobs = read;
        readAt = at;
        readNanos = nanos;
        error = "";
    }

    synchronized void failed(String cause) {
        error = cause;
    }

    synchronized Shown shown(long nanos) {
        boolean isOld = nanos - readNanos > FRESH_NANOS;
        return new Shown(isOld ? JobRows.of(jobs, readAt, false) : rows, error);
    }
}
