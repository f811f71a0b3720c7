package io.holdfast.simulation.timeline;

import io.holdfast.LockOptions;
import io.holdfast.simulation.plan.Faults;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan as a table for a person: no fault that is disabled, and times in words. */
final class PlanTable {

    private static final long SECONDS_PER_MINUTE = 60;
    private static final long SECONDS_PER_HOUR = 3_600;

    /**
     * A row of the table.
     *
     * @param group the group of the row, such as {@code faults}
     * @param name the setting
     * @param value its value, for a person
     */
    record Row(String group, String name, String value) {}

    private final List<Row> rows = new ArrayList<>();
    private String group = "";

    private PlanTable() {}

    static List<Row> of(Plan plan) {
        PlanTable table = new PlanTable();
        table.addRun(plan);
        table.addLeases(plan);
        table.addNetwork(plan.faults().network());
        table.addFaults(plan.faults());
        return List.copyOf(table.rows);
    }

    private void addRun(Plan plan) {
        group = "run";
        add("seed", String.valueOf(plan.seed()));
        add("nodes", String.valueOf(plan.nodes()));
        add(
                "clients",
                plan.clients() + ", each with " + plan.workers() + (plan.workers() == 1 ? " worker" : " workers"));
        add("locks", String.valueOf(plan.resources()));
        add("users of every method", yes(plan.everything()));
        add("times of trouble", plan.rounds() + " of " + words(plan.trouble()));
        if (plan.rounds() > 1) {
            add("quiet time between them", words(plan.idle()));
        }
    }

    private void addLeases(Plan plan) {
        LockOptions lock = plan.lease();
        group = "leases";
        add("lease", words(lock.lease()) + (lock.renewal() ? ", renewed" : ", not renewed"));
        add("longest lease", words(plan.config().maxLease()));
        add("hold limit", words(lock.holdLimit()));
        add("wait limit", words(lock.waitLimit()));
        add("wait for unreachable nodes", words(lock.unreachableLimit()));
        add("retry delay", words(lock.retryDelay()) + " to " + words(lock.retryDelayLimit()));
        add("fair", yes(lock.fair()));
        add("shared requests", percent(plan.shared()));
        add("restarted nodes", plan.config().restarts().toString().toLowerCase(Locale.ROOT));
        add("strict fences", yes(plan.config().strictFences()));
    }

    private void addNetwork(Network network) {
        group = "network";
        add("delay of most messages", "up to " + words(network.usualDelay()));
        addShare("stragglers", network.stragglers(), ", up to " + words(network.longestDelay()));
        addShare("lost", network.loss(), "");
        addShare("delivered twice", network.duplicates(), "");
        addShare("out of order", network.disorder(), "");
    }

    private void addShare(String name, double share, String more) {
        if (share > 0) {
            add(name, percent(share) + more);
        }
    }

    private void addFaults(Faults faults) {
        group = "faults, on average on each machine";
        addFault("crash", faults.crash(), ", " + percent(faults.forgetting()) + " of them without its data");
        addFault("flush, and a deleted key", faults.flush(), "");
        addFault("frozen node", faults.freeze(), "");
        addFault("lost connection", faults.reset(), "");
        addFault("partition between a client and a node", faults.partition(), "");
        addFault("client cut off from all nodes", faults.cutOff(), "");
        addFault("paused process", faults.pause(), "");
        addFault("suspended machine", faults.suspension(), "");
        addFault("clock of a client is set", faults.wallStep(), "");
        addFault("killed process", faults.kill(), "");
        addFault("clock of a node is set (outside the assumptions)", faults.nodeStep(), "");
        addFault("eviction of keys (outside the assumptions)", faults.eviction(), "");
        group = "faults";
        add("longest fault", words(faults.longest()));
        add("nodes that may forget at once", faults.anyMayForget() ? "any number" : "a minority");
        add("difference of the clocks' rates", percent(faults.spread()));
    }

    private void addFault(String name, Duration interval, String more) {
        if (interval.compareTo(Faults.NEVER) < 0) {
            add(name, "every " + words(interval) + more);
        }
    }

    private void add(String name, String value) {
        rows.add(new Row(group, name, value));
    }

    private static String yes(boolean value) {
        return value ? "yes" : "no";
    }

    private static String percent(double share) {
        return number(share * 100) + " %";
    }

    /** Returns the duration as a person writes it, such as {@code 1 min 30 s}. */
    static String words(Duration duration) {
        if (duration.compareTo(LockOptions.FOREVER) >= 0) {
            return "none";
        }
        long seconds = duration.toSeconds();
        if (seconds >= SECONDS_PER_HOUR) {
            return seconds / SECONDS_PER_HOUR + " h" + rest(duration.toMinutesPart(), "min");
        } else if (seconds >= SECONDS_PER_MINUTE) {
            return seconds / SECONDS_PER_MINUTE + " min" + rest(duration.toSecondsPart(), "s");
        }
        return seconds >= 1 ? number(duration.toMillis() / 1e3) + " s" : number(duration.toNanos() / 1e6) + " ms";
    }

    private static String rest(int count, String unit) {
        return count == 0 ? "" : " " + count + " " + unit;
    }

    /** Returns a number with at most two decimals. */
    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceFirst("\\.?0+$", "");
    }
}
