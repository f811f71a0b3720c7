package io.holdfast.cli.lock;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.WholeNumber;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLock;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The locks that a run needs: one, exclusive or shared; one of several slots; or several locks, all or none.
 *
 * @param names the names, in alphabetical order
 * @param positions for each name its position among the words after the name of the command, counted from 1
 * @param isShared whether the lock may have other holders that share it
 * @param slots the number of slots, each of which is a lock; 0: none
 */
public record LockChoice(List<String> names, List<Integer> positions, boolean isShared, int slots) {

    private static final CommandOption SHARED = CommandOption.of(
            "-s, --shared", "Share the lock with all others that use this option; a run without it excludes them all.");
    private static final CommandOption SLOTS = CommandOption.of(
            "--slots",
            "N",
            "Take one of N slots, so that up to N runs hold the lock NAME; all machines must use the same N.");

    public static final List<CommandOption> OPTIONS = List.of(SHARED, SLOTS);

    private static final int MOST_SLOTS = 1_000;

    /** Returns the choice of one exclusive lock. */
    public static LockChoice single(String name) {
        return new LockChoice(List.of(name), List.of(), false, 0);
    }

    /** Returns the choice in these arguments. */
    public static LockChoice of(Arguments arguments) {
        List<String> names = arguments.names().stream().distinct().sorted().toList();
        boolean isShared = arguments.has(SHARED);
        int slots = arguments.value(SLOTS, LockChoice::slots).orElse(0);
        if (isShared && slots > 0) {
            throw new Failure(
                    ExitCode.USAGE, "-s and --slots exclude each other; --slots 1000 admits nearly everybody");
        } else if (names.size() > 1 && (isShared || slots > 0)) {
            throw new Failure(
                    ExitCode.USAGE,
                    (isShared ? "-s" : "--slots") + " takes one name, not '" + String.join("' and '", names)
                            + "'; several names are locked exclusively");
        }
        return new LockChoice(names, names.stream().map(arguments::position).toList(), isShared, slots);
    }

    private static int slots(String text) {
        return WholeNumber.parse(text, 1, MOST_SLOTS, "is not a number of slots; write one from 1 to 1000");
    }

    /** Returns whether exactly one run at a time holds the lock, and it is only one lock. */
    public boolean isSingle() {
        return names.size() == 1 && !isShared && slots == 0;
    }

    /** Returns the names of all locks that the run may hold. */
    public List<String> resources() {
        return slots == 0
                ? names
                : IntStream.rangeClosed(1, slots)
                        .mapToObj(slot -> names.get(0) + "/" + slot)
                        .toList();
    }

    /** Returns the names, one per line, in alphabetical order. */
    public String text() {
        return String.join("\n", names);
    }

    /** Waits for the locks. */
    public JointLease acquire(Holdfast holdfast, LockOptions options) throws InterruptedException {
        if (slots > 0) {
            return new JointLease(List.of(DistributedSemaphore.of(holdfast, names.get(0), slots, options)
                    .acquire()));
        } else if (names.size() > 1) {
            return new JointLease(
                    MultiLock.of(holdfast, names, options).acquire().all());
        }
        var lock = holdfast.lock(names.get(0), options);
        return new JointLease(List.of(isShared ? lock.shared().acquire() : lock.acquire()));
    }

    /**
     * Returns where the launcher finds the names of the locks that are held: their positions among the words after
     * {@code holdfast}, separated by commas; a slot has its number after a slash.
     *
     * @param before the number of words before the first one that is counted
     */
    public String positions(JointLease held, int before) {
        return String.join(
                ",",
                held.leases().stream().map(lease -> position(lease, before)).toList());
    }

    /**
     * Returns where the launcher finds all names, as {@link #positions(JointLease, int)} does for a run that holds
     * nothing.
     */
    public String positions(int before) {
        return String.join(
                ",",
                positions.stream()
                        .map(position -> Integer.toString(position + before))
                        .toList());
    }

    private String position(Lease lease, int before) {
        if (slots > 0) {
            String slot = lease.resource().substring(names.get(0).length());
            return positions.get(0) + before + slot;
        }
        return Integer.toString(positions.get(names.indexOf(lease.resource())) + before);
    }
}
