package io.holdfast.cli.output;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.console.json.Json;
import io.holdfast.jobs.JobHistory;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The states of several locks at one moment.
 *
 * @param locks the named locks, or all held ones
 * @param histories the past runs of these locks, in the same order
 * @param isList whether these are all held locks, of which the state of each server is not shown
 * @param error why the locks cannot be listed; empty if they are
 */
public record LockView(List<LockStatus> locks, List<JobHistory> histories, boolean isList, String error) {

    /** Reads the locks with these names; all held locks if there are none. */
    public static LockView of(LockAdmin admin, List<String> names) {
        boolean isList = names.isEmpty();
        try {
            List<LockStatus> locks =
                    isList ? admin.list() : names.stream().map(admin::status).toList();
            List<JobHistory> histories =
                    locks.stream().map(lock -> history(admin, lock.resource())).toList();
            return new LockView(locks, histories, isList, "");
        } catch (IllegalStateException noMajority) {
            return new LockView(List.of(), List.of(), true, "cannot list the locks: " + noMajority.getMessage());
        }
    }

    /** Reads the past runs of a lock; none if the servers do not answer, or have a text of another version. */
    public static JobHistory history(LockAdmin admin, String name) {
        return JobHistory.of(admin.record(name)).orElse(JobHistory.NONE);
    }

    /** Returns {@code true} if it is known of each lock whether it is held. */
    public boolean isKnown() {
        return error.isEmpty() && locks.stream().noneMatch(status -> LockState.of(status) == LockState.UNKNOWN);
    }

    /** Returns the locks as text. */
    public String text() {
        if (!error.isEmpty()) {
            return error + System.lineSeparator();
        } else if (locks.isEmpty()) {
            return "no lock is held" + System.lineSeparator();
        }
        return IntStream.range(0, locks.size())
                .mapToObj(i -> isList
                        ? StatusText.brief(locks.get(i), histories.get(i))
                        : StatusText.detail(locks.get(i), histories.get(i)))
                .collect(Collectors.joining());
    }

    /** Returns one object for each lock and line; a single object with an error if they cannot be listed. */
    public String json() {
        String nl = System.lineSeparator();
        return error.isEmpty()
                ? IntStream.range(0, locks.size())
                        .mapToObj(i -> StatusText.json(locks.get(i), histories.get(i)) + nl)
                        .collect(Collectors.joining())
                : Json.object(Json.fields("error", error)) + nl;
    }
}
