package io.holdfast.jobs;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.record.LockRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A lock and the record of the runs under it. They are read one after the other, and fit: a run that ends or begins
 * meanwhile does not look as if its process had been killed. Immutable.
 *
 * @param lock the state of the lock; without nodes if they were not asked, since no run goes on
 * @param record the newest record
 * @param history the runs in it; none without a record, and empty if another version has written it in another format
 */
public record LockRuns(LockStatus lock, LockRecord record, Optional<JobHistory> history) {

    /** The greatest number of readings of both, if a run begins and another ends each time. */
    private static final int MOST_READINGS = 3;

    private LockRuns(LockStatus lock, LockRecord record) {
        this(lock, record, JobHistory.of(record));
    }

    /** Reads the runs under one lock, and its state if it matters for them. Blocks as {@link #of(LockAdmin, List)}. */
    public static LockRuns of(LockAdmin admin, String name) {
        return of(admin, List.of(unasked(name))).get(0);
    }

    /**
     * Reads the runs under these locks, in order. Asks again for the locks whose last run has neither reported its end
     * nor holds the lock, and then for their records: an end is written before the lock is released. Blocks for a round
     * for each 500 records, and usually for two more for each 500 of those locks.
     *
     * @param locks the states of the locks, as they were read
     */
    public static List<LockRuns> of(LockAdmin admin, List<LockStatus> locks) {
        Map<String, LockRuns> known = new HashMap<>();
        locks.forEach(lock -> known.put(lock.resource(), new LockRuns(lock, LockRecord.none(LockRecord.NEVER))));
        List<String> names = locks.stream().map(LockStatus::resource).toList();
        List<String> open = names;
        for (int reading = 0; reading < MOST_READINGS && !open.isEmpty(); reading++) {
            open = inDoubt(known, open, admin.records(open), LockRuns::with);
            open = open.isEmpty() ? open : inDoubt(known, open, admin.statuses(open), LockRuns::with);
        }
        return names.stream().map(known::get).toList();
    }

    /** Replaces what is known of these locks, and returns the names of those that are in doubt after news. */
    private static <T> List<String> inDoubt(
            Map<String, LockRuns> known,
            List<String> names,
            List<T> read,
            BiFunction<LockRuns, T, Optional<LockRuns>> with) {
        List<String> open = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Optional<LockRuns> news = with.apply(Objects.requireNonNull(known.get(name)), read.get(i));
            news.ifPresent(runs -> known.put(name, runs));
            if (news.filter(LockRuns::isInDoubt).isPresent()) {
                open.add(name);
            }
        }
        return open;
    }

    /** Empty if the record is the one that is known. */
    private Optional<LockRuns> with(LockRecord next) {
        return next.isNewerThan(record) || !record.isPresent()
                ? Optional.of(new LockRuns(lock, next))
                : Optional.empty();
    }

    private Optional<LockRuns> with(LockStatus next) {
        return Optional.of(new LockRuns(next, record, history));
    }

    /** Returns whether the last run has not reported its end, and does not hold the lock. */
    private boolean isInDoubt() {
        return history.flatMap(JobHistory::lastRun)
                .filter(run -> run.outcome().isEmpty() && !run.isRunning(lock))
                .isPresent();
    }

    static LockStatus unasked(String name) {
        return new LockStatus(name, List.of(), Map.of());
    }
}
