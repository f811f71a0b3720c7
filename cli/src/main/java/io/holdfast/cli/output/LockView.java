package io.holdfast.cli.output;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.console.json.Json;
import io.holdfast.jobs.LockRuns;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The states of several locks at one moment.
 *
 * @param locks the named locks, or all held ones, with their past runs
 * @param isList whether these are all held locks, of which the state of each server is not shown
 * @param error why the locks cannot be listed; empty if they are
 */
public record LockView(List<LockRuns> locks, boolean isList, String error) {

    /** Reads the locks with these names; all held locks if there are none. */
    public static LockView of(LockAdmin admin, List<String> names) {
        boolean isList = names.isEmpty();
        try {
            List<LockStatus> locks = isList ? admin.list() : admin.statuses(names);
            return new LockView(LockRuns.of(admin, locks), isList, "");
        } catch (IllegalStateException noMajority) {
            return new LockView(List.of(), true, "cannot list the locks: " + noMajority.getMessage());
        }
    }

    /** Returns {@code true} if it is known of each lock whether it is held. */
    public boolean isKnown() {
        return error.isEmpty() && locks.stream().noneMatch(runs -> LockState.of(runs.lock()) == LockState.UNKNOWN);
    }

    /** Returns the locks as text. */
    public String text() {
        if (!error.isEmpty()) {
            return error + System.lineSeparator();
        } else if (locks.isEmpty()) {
            return "no lock is held" + System.lineSeparator();
        }
        return locks.stream()
                .map(isList ? StatusText::brief : StatusText::detail)
                .collect(Collectors.joining());
    }

    /** Returns one object for each lock and line; a single object with an error if they cannot be listed. */
    public String json() {
        String nl = System.lineSeparator();
        return error.isEmpty()
                ? locks.stream().map(runs -> StatusText.json(runs) + nl).collect(Collectors.joining())
                : Json.object(Json.fields("error", error)) + nl;
    }
}
