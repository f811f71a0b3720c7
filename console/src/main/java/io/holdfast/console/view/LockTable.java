package io.holdfast.console.view;

import io.holdfast.admin.LockWatch.ObservedLock;
import io.holdfast.admin.LockWatch.Reading;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All locks that were seen, with their past holds. Thread-safe. */
final class LockTable {

    /** The most locks whose past is kept. */
    private static final int MOST_LOCKS = 10_000;

    /** A longer time without a reading hides how a hold has ended. */
    private static final Duration GAP = Duration.ofSeconds(5);

    private static final int MOST_PAST_HOLDS = 50_000;

    private final Map<String, LockRow> rows = new LinkedHashMap<>(16, 0.75f, true);
    /** The locks that are shown. */
    private final Set<String> shown = new HashSet<>();

    private @Nullable Moment last;

    /** Takes over a reading, and returns the rows to show by name. */
    synchronized SortedMap<String, Map<String, Object>> update(Reading reading) {
        Moment now = reading.at();
        boolean isGap = last != null && now.since(last).compareTo(GAP) > 0;
        last = now;
        for (ObservedLock lock : reading.locks()) {
            String name = lock.status().resource();
            LockRow row = rows.computeIfAbsent(name, added -> new LockRow(lock.status()));
            row.observe(lock, isGap, now);
            shown.add(name);
        }
        SortedMap<String, Map<String, Object>> all = new TreeMap<>();
        for (String name : List.copyOf(shown)) {
            LockRow row = rows.get(name);
            if (row != null && row.isShown(now)) {
                all.put(name, row.fields(now));
            } else {
                shown.remove(name);
            }
        }
        forgetOldest();
        return all;
    }

    private void forgetOldest() {
        int past = rows.values().stream().mapToInt(LockRow::pastHolds).sum();
        while (rows.size() > MOST_LOCKS || past > MOST_PAST_HOLDS) {
            Iterator<LockRow> oldest = rows.values().iterator();
            past -= oldest.next().pastHolds();
            oldest.remove();
        }
    }

    /** Notes that this holder of the lock is about to lose it, by an administrator. */
    synchronized void breaking(String name, String holder) {
        LockRow row = rows.get(name);
        if (row != null) {
            row.breaking(holder);
        }
    }

    /** Returns the past holds of a lock, the newest one last. */
    synchronized List<Map<String, Object>> history(String name) {
        LockRow row = rows.get(name);
        return row == null ? List.of() : row.history();
    }

    /** Returns the row of a lock; empty if it is not shown. */
    synchronized Map<String, Object> row(String name) {
        LockRow row = rows.get(name);
        return row == null || last == null || !shown.contains(name) ? Map.of() : row.fields(last);
    }
}
