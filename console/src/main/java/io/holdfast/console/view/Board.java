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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/**
 * The one reader of a console, however many viewers it has. Reads nothing without a viewer: an open
 * stream of events, or a request within the last seconds. Thread-safe.
 */
public final class Board implements AutoCloseable {

    private static final long LOCKS_MILLIS = 500;
    private static final long JOBS_MILLIS = 5_000;
    private static final long LONGEST_WAIT_MILLIS = 5_000;

    private final LockAdmin admin;
    private final LockWatch watch;
    private final Map<String, Object> source;
    private final UnaryOperator<Map<String, Object>> more;
    private final LockTable table = new LockTable();
    private final NodeRows nodes = new NodeRows();
    private final NodeRows previousNodes = new NodeRows();
    private final Cycles cycles = new Cycles();
    private final ReaderThread locksReader;
    private final ReaderThread jobsReader;

    private final Feed feed;
    private final JobTable jobs = new JobTable();

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
        this.feed = new Feed(look.toNanos(), System::nanoTime);
        this.locksReader = new ReaderThread("holdfast-console-locks", LOCKS_MILLIS, feed::isWatched, this::readLocks);
        this.jobsReader = new ReaderThread("holdfast-console-jobs", JOBS_MILLIS, feed::isWatched, this::readJobs);
    }

    private void readLocks() {
        try {
            read();
        } catch (RuntimeException | Error failure) {
            feed.replace("reading", reading(false, "the locks cannot be read: " + failure, 0, 0, 0));
            throw failure;
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
        parts.put("previousNodes", previousNodes.update(reading.previous(), now));
        parts.put("spareVotes", NodeRows.spareVotes(reading));
        parts.put("cycles", cycles.update(reading));
        putJobs(parts, reading.names(), rows.size());
        Map<String, Object> all = more.apply(parts);
        feed.publish(now, version -> new Overview(version, now, source, rows, all));
    }

    private void putJobs(Map<String, Object> parts, Names names, int locks) {
        JobTable.Shown shown = jobs.shown(System.nanoTime());
        parts.put("jobs", shown.rows());
        boolean isComplete =
                names.isComplete() && names.left() == 0 && shown.error().isEmpty();
        String detail = names.error().isEmpty() ? shown.error() : names.error();
        parts.put("reading", reading(isComplete, detail, names.keys(), locks, names.left()));
    }

    private void readJobs() {
        // The time of the question: what is read may be as old as that.
        long began = System.nanoTime();
        try {
            jobs.read(JobStatus.all(admin), Instant.now(), began);
        } catch (IllegalStateException noMajority) {
            jobs.failed("jobs may be missing: " + noMajority.getMessage());
        } catch (RuntimeException damaged) {
            jobs.failed("the jobs cannot be read: " + damaged);
        }
    }

    private void look() {
        feed.look();
        locksReader.start();
        jobsReader.start();
    }

    /** Returns a fresh overview; waits for it, at most for some seconds. Empty if there is none then. */
    public Optional<Overview> overview() throws InterruptedException {
        look();
        return feed.overview(LONGEST_WAIT_MILLIS);
    }

    /** Returns a new viewer; empty if there are this many already. */
    public Optional<Viewer> open(int most) {
        return feed.enter(most) ? Optional.of(new Viewer(feed, this::look)) : Optional.empty();
    }

    /** Returns one lock in detail: its row, the vote of each node, and the holds that were seen. */
    public Map<String, Object> lock(String name) {
        look();
        LockStatus status = admin.status(name);
        Map<String, Object> row = new LinkedHashMap<>(table.row(status.resource()));
        if (row.isEmpty()) {
            Moment now = new Moment(System.nanoTime(), System.currentTimeMillis() * 1_000);
            LockRow single = new LockRow(status);
            single.observe(new ObservedLock(status, now), false, now);
            row.putAll(single.fields(now));
        }
        row.put("votes", status.nodes().stream().map(Votes::fields).toList());
        row.put("history", table.history(status.resource()));
        return row;
    }

    /** Notes that this holder of a lock is about to lose it by way of this console; empty: that none does. */
    public void breaking(String name, String holder) {
        table.breaking(name, holder);
    }

    /** Ends the threads. */
    @Override
    public void close() {
        feed.close();
        locksReader.close();
        jobsReader.close();
    }
}
