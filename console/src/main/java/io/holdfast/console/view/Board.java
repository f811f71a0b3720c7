package io.holdfast.console.view;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.LockWatch;
import io.holdfast.admin.LockWatch.Names;
import io.holdfast.admin.LockWatch.ObservedLock;
import io.holdfast.admin.LockWatch.Reading;
import io.holdfast.console.json.Json;
import io.holdfast.jobs.JobStatus;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one reader of a console, however many viewers it has. Reads nothing without a viewer: an open
 * stream of events, or a request within the last seconds. Thread-safe.
 */
public final class Board implements AutoCloseable {

    private static final long LOCKS_MILLIS = 500;
    private static final long JOBS_MILLIS = 5_000;
    private static final long FRESH_NANOS = 2_000_000_000L;
    /** After this time without a reading, a viewer receives no sign of life. */
    private static final long SILENT_NANOS = 10_000_000_000L;

    private static final long LONGEST_WAIT_MILLIS = 5_000;
    private static final int MOST_CHANGES = 100;

    private final LockAdmin admin;
    private final LockWatch watch;
    private final Map<String, Object> source;
    private final long lookNanos;
    private final UnaryOperator<Map<String, Object>> more;
    private final LockTable table = new LockTable();
    private final NodeRows nodes = new NodeRows();
    private final Cycles cycles = new Cycles();
    private final ReaderThread locksReader;
    private final ReaderThread jobsReader;

    private final Deque<Change> changes = new ArrayDeque<>();
    private List<Map<String, Object>> jobs = List.of();
    private String jobsError = "";
    private @Nullable Overview current;
    private long lastRead;
    private long lastLook;
    private int viewers;
    private boolean isClosed;

    private record Change(long version, String json) {}

    /**
     * Creates a reader that has read nothing.
     *
     * @param source the fields that never change
     * @param more completes the parts of each overview
     * @param look how long a request counts as a viewer
     */
    public Board(LockAdmin admin, Map<String, Object> source, UnaryOperator<Map<String, Object>> more, Duration look) {
        this.admin = admin;
        this.watch = admin.watch();
        this.source = source;
        this.more = more;
        this.lookNanos = look.toNanos();
        this.lastLook = System.nanoTime() - lookNanos;
        this.lastRead = System.nanoTime() - FRESH_NANOS;
        this.locksReader = new ReaderThread("holdfast-console-locks", LOCKS_MILLIS, this::isWatched, this::readLocks);
        this.jobsReader = new ReaderThread("holdfast-console-jobs", JOBS_MILLIS, this::isWatched, this::readJobs);
    }

    private synchronized boolean isWatched() {
        return !isClosed && (viewers > 0 || System.nanoTime() - lastLook < lookNanos);
    }

    private void readLocks() {
        try {
            read();
        } catch (RuntimeException failure) {
            publishFailure(failure);
            throw failure;
        }
    }

    private synchronized void publishFailure(RuntimeException failure) {
        Overview before = current;
        if (before != null) {
            Overview next = before.with("reading", reading(false, "the locks cannot be read: " + failure, 0, 0, 0));
            if (next.differsFrom(before)) {
                use(next, before);
            }
        }
    }

    private static Map<String, Object> reading(boolean isComplete, String detail, long keys, int locks, int left) {
        return Json.fields("complete", isComplete, "keys", keys, "detail", detail, "locks", locks, "left", left);
    }

    private void read() {
        Reading reading = watch.read();
        long now = reading.at().wallMicros() / 1_000;
        SortedMap<String, Map<String, Object>> rows = table.update(reading);
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put("nodes", nodes.update(reading.nodes(), now));
        parts.put("spareVotes", NodeRows.spareVotes(reading.nodes()));
        parts.put("cycles", cycles.update(reading));
        publish(now, rows, parts, reading.names());
    }

    private synchronized void publish(
            long now, SortedMap<String, Map<String, Object>> rows, Map<String, Object> parts, Names names) {
        parts.put("jobs", jobs);
        boolean isComplete = names.isComplete() && names.left() == 0 && jobsError.isEmpty();
        String detail = names.error().isEmpty() ? jobsError : names.error();
        parts.put("reading", reading(isComplete, detail, names.keys(), rows.size(), names.left()));
        Overview before = current;
        long version = before == null ? now : before.version() + 1;
        Overview next = new Overview(version, now, source, rows, more.apply(parts));
        if (before == null || next.differsFrom(before)) {
            use(next, before);
        }
        lastRead = System.nanoTime();
        notifyAll();
    }

    private synchronized void use(Overview next, @Nullable Overview before) {
        current = next;
        if (before != null) {
            changes.add(new Change(next.version(), next.changesSince(before)));
        }
        if (changes.size() > MOST_CHANGES) {
            changes.remove();
        }
        notifyAll();
    }

    private synchronized boolean isRead(long withinNanos) {
        return System.nanoTime() - lastRead < withinNanos;
    }

    private void readJobs() {
        List<Map<String, Object>> rows = null;
        String error = "";
        try {
            rows = JobRows.of(JobStatus.all(admin), Instant.now());
        } catch (IllegalStateException noMajority) {
            error = "jobs may be missing: " + noMajority.getMessage();
        } catch (RuntimeException damaged) {
            error = "the jobs cannot be read: " + damaged;
        }
        synchronized (this) {
            jobs = rows == null ? jobs : rows;
            jobsError = error;
        }
    }

    private void look() {
        synchronized (this) {
            lastLook = System.nanoTime();
        }
        locksReader.start();
        jobsReader.start();
    }

    /** Returns a fresh overview; waits for it, at most for some seconds. Empty if there is none then. */
    public Optional<Overview> overview() throws InterruptedException {
        look();
        long begun = System.nanoTime();
        synchronized (this) {
            long left = LONGEST_WAIT_MILLIS;
            while (begun - lastRead > FRESH_NANOS && left > 0 && !isClosed) {
                wait(left);
                left = LONGEST_WAIT_MILLIS - (System.nanoTime() - begun) / 1_000_000;
            }
            return Optional.ofNullable(current).filter(overview -> isRead(SILENT_NANOS));
        }
    }

    /** Returns a new viewer; empty if there are this many already. */
    public synchronized Optional<Viewer> open(int most) {
        if (viewers >= most || isClosed) {
            return Optional.empty();
        }
        viewers++;
        return Optional.of(new Viewer());
    }

    /** Returns one lock in detail: its row, the vote of each node, and the holds that were seen. */
    public Map<String, Object> lock(String name) {
        look();
        LockStatus status = admin.status(name);
        Map<String, Object> row = new LinkedHashMap<>(table.row(status.resource()));
        if (row.isEmpty()) {
            Moment now = new Moment(System.nanoTime(), System.currentTimeMillis() * 1_000);
            LockRow single = new LockRow(status);
            single.observe(new ObservedLock(status, now), false, false, now);
            row.putAll(single.fields(now));
        }
        row.put("votes", status.nodes().stream().map(Votes::fields).toList());
        row.put("history", table.history(status.resource()));
        return row;
    }

    /** Notes that a lock is about to be broken by way of this console. */
    public void breaking(String name) {
        table.breaking(name);
    }

    /** Ends the threads. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        locksReader.close();
        jobsReader.close();
    }

    /** A viewer, who receives events. Used by one thread. */
    public final class Viewer implements AutoCloseable {

        private long seen;
        private boolean isOpen = true;

        private Viewer() {}

        /**
         * Returns the next event as text of server-sent events: the whole state first, or after a viewer was too slow,
         * then what changes; a sign of life if nothing does.
         *
         * @return empty if the console has been closed
         */
        public Optional<String> next(long limitMillis) throws InterruptedException {
            look();
            synchronized (Board.this) {
                long end = System.nanoTime() + limitMillis * 1_000_000;
                long left = limitMillis;
                while (!isClosed
                        && left > 0
                        && (current == null || current.version() == seen || (seen == 0 && !isRead(FRESH_NANOS)))) {
                    Board.this.wait(left);
                    left = (end - System.nanoTime()) / 1_000_000;
                }
                return isClosed ? Optional.empty() : Optional.of(events());
            }
        }

        private String events() {
            Overview now = current;
            if (now == null || now.version() == seen) {
                return !isRead(SILENT_NANOS)
                        ? ":\n\n"
                        : event("alive", Json.object(Json.fields("version", seen, "time", System.currentTimeMillis())));
            }
            Change oldest = changes.peek();
            boolean isTooLate = seen == 0 || oldest == null || oldest.version > seen + 1;
            StringBuilder text = new StringBuilder();
            if (isTooLate) {
                text.append(event("overview", now.json(System.currentTimeMillis())));
            } else {
                changes.stream()
                        .filter(change -> change.version > seen)
                        .forEach(change -> text.append(event("change", change.json)));
            }
            seen = now.version();
            return text.toString();
        }

        private static String event(String name, String data) {
            return "event: " + name + "\ndata: " + data + "\n\n";
        }

        /** Ends the look. */
        @Override
        public void close() {
            synchronized (Board.this) {
                viewers -= isOpen ? 1 : 0;
                isOpen = false;
            }
        }
    }
}
