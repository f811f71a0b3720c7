package io.holdfast.testkit.history;

import org.jspecify.annotations.Nullable;

/**
 * An operation of a process on a lock, or on the register that the lock guards. All processes use one clock.
 *
 * <p>Only what may have had an effect is an operation: no acquire that ended without a grant, and no write that the
 * register has rejected.
 *
 * @param process does one operation after another; only losses are reported meanwhile
 * @param begun in nanoseconds
 * @param ended in nanoseconds; {@code null} if the operation may still take effect, or never
 * @param token the fencing token of the hold; {@code null} if there is none
 * @param value the number that was read or written
 */
public record Operation(
        String process,
        Kind kind,
        long begun,
        @Nullable Long ended,
        @Nullable Long token,
        @Nullable Long value) {

    /** The kinds of operations. */
    public enum Kind {
        /** Ended when the process received the grant. */
        ACQUIRE,
        READ,
        WRITE,
        /** Begun when the process stopped relying on its hold. */
        RELEASE,
        /** Begun at the end of the validity that the process knew, ended when the process was notified. */
        LOSS
    }

    /** Checks that the operation is possible. */
    public Operation {
        if (ended != null && ended < begun) {
            throw new IllegalArgumentException(process + ": an operation ended before it began");
        }
        if (value == null && (kind == Kind.WRITE || (kind == Kind.READ && ended != null))) {
            throw new IllegalArgumentException(process + ": a value is missing");
        }
    }

    boolean isPending() {
        return ended == null;
    }

    boolean isRead() {
        return kind == Kind.READ;
    }

    boolean isOnRegister() {
        return kind == Kind.READ || kind == Kind.WRITE;
    }

    /** Returns the end, or the greatest number if there is none. */
    long latest() {
        return ended == null ? Long.MAX_VALUE : ended;
    }
}
