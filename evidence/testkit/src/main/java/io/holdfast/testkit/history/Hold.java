package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Operation.Kind;
import java.util.List;
import java.util.Optional;

/**
 * A hold of the lock.
 *
 * @param acquire the operation by which the hold was granted
 * @param later the operations of the same process until its release or its next acquire, and reports of a loss
 */
public record Hold(Operation acquire, List<Operation> later) {

    /** Copies the list. */
    public Hold {
        later = List.copyOf(later);
    }

    /** Returns when the process received the grant. */
    public long granted() {
        return acquire.latest();
    }

    /** Returns the loss or the release that ended the hold, whichever began first. */
    public Optional<Operation> end() {
        return later.stream()
                .filter(operation -> operation.kind() == Kind.RELEASE || operation.kind() == Kind.LOSS)
                .findFirst();
    }

    /**
     * Returns the time until which the holder surely relied on its hold: the end of its validity, or the begin of its
     * release. A holder that was killed relied on its hold until the last thing that it did.
     */
    public long reliedUntil() {
        Operation last = last();
        boolean isKnownAtBegin = last.isPending() || end().isPresent();
        return isKnownAtBegin ? last.begun() : last.latest();
    }

    /** Returns how long both holders relied on their holds at the same time, in nanoseconds. */
    public long overlap(Hold other) {
        long begin = Math.max(granted(), other.granted());
        return Math.max(0, Math.min(reliedUntil(), other.reliedUntil()) - begin);
    }

    /** Returns true if the hold was lost, and at that time its holder neither knew it nor had begun to release. */
    boolean isLostUnnoticed(long time) {
        return end().filter(end -> end.kind() == Kind.LOSS).isPresent()
                && later.stream().noneMatch(operation -> isNoticed(operation, time));
    }

    private static boolean isNoticed(Operation operation, long time) {
        return switch (operation.kind()) {
            case LOSS -> operation.latest() <= time;
            case RELEASE -> operation.begun() <= time;
            default -> false;
        };
    }

    /** Returns the operation that shows until when the holder relied on its hold. */
    Operation last() {
        return end().orElseGet(() -> later.isEmpty() ? acquire : later.get(later.size() - 1));
    }
}
