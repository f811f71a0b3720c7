package io.holdfast.console.view;

import io.holdfast.admin.LockStatus;
import io.holdfast.console.json.Json;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.Moment;
import java.util.Map;
import java.util.Optional;

/**
 * One hold of a lock, as this console has seen it.
 *
 * @param holder the mark of the holder
 * @param id the id of its client; empty if it has none, or if the lock is shared
 * @param client the name of its client
 * @param token its fencing token; without a note, the smallest one that was seen, since waiters propose greater ones
 * @param from when it began
 * @param read when its state was read last
 * @param left the time left of its lease, as it was read then, in milliseconds
 * @param freeAt when the lock becomes free, unless the lease is extended
 * @param leaseMillis the longest time left that was seen
 */
record LockHold(
        String holder,
        String id,
        String client,
        long token,
        long from,
        Moment read,
        long left,
        long freeAt,
        long leaseMillis) {

    /** The ways in which a hold ends. */
    enum End {
        RELEASED("released"),
        TAKEN_OVER("taken over"),
        EXPIRED("expired"),
        BROKEN("broken"),
        UNKNOWN("unknown");

        private final String text;

        End(String text) {
            this.text = text;
        }

        /** Returns {@code true} if the holder lost the lock. */
        boolean isLoss() {
            return this == TAKEN_OVER || this == EXPIRED || this == BROKEN;
        }
    }

    /**
     * A hold that has ended.
     *
     * @param to when it was seen to have ended
     */
    record Ended(LockHold hold, long to, End end) {

        Map<String, Object> fields() {
            return Json.fields(
                    "client",
                    hold.client,
                    "id",
                    hold.id,
                    "token",
                    Long.toString(hold.token),
                    // The clock may have been set back meanwhile.
                    "from",
                    Math.min(hold.from, to),
                    "to",
                    to,
                    "end",
                    end.text);
        }

        /** Returns the fields of a loss. */
        Map<String, Object> lost() {
            return Json.fields("id", hold.id, "name", hold.client, "at", to, "end", end.text);
        }
    }

    /** A difference of two readings of one end of a lease, which the row does not show. */
    private static final long SAME_END_MILLIS = 300;

    /** A lock may be seen to be free so long before its lease ends, by clocks that differ. */
    private static final long EARLY_MILLIS = 250;

    private static final long OLDEST_TOKEN_MILLIS = 365L * 24 * 60 * 60 * 1_000;
    private static final long RENEWALS = 3;
    private static final long MICROS = 1_000;
    private static final long ROUNDING = 1_000;

    /** Returns the hold of a lock that has a holder. */
    static LockHold of(LockStatus status, NodeLockStatus held, Moment read, long now) {
        String id = held.shares() == 0 ? held.clients().stream().findFirst().orElse("") : "";
        ClientDescription described = status.clients().get(id);
        long left = held.timeLeft().toMillis();
        long token = held.token().orElse(held.fence()).value();
        return new LockHold(
                held.holder(),
                id,
                id.isEmpty() ? held.holder() : Clients.name(id, described),
                token,
                began(token, now),
                read,
                left,
                read.wallMicros() / MICROS + left,
                rounded(left));
    }

    /** A client proposes the time of its clock as a token, unless a greater one is known. */
    private static long began(long token, long now) {
        long proposed = token / MICROS;
        return proposed > now - OLDEST_TOKEN_MILLIS ? Math.min(proposed, now) : now;
    }

    private static long rounded(long millis) {
        return (millis + ROUNDING - 1) / ROUNDING * ROUNDING;
    }

    /** Returns this hold after it was read again. */
    LockHold updated(LockHold later) {
        boolean isSameEnd = Math.abs(later.freeAt - freeAt) < SAME_END_MILLIS;
        return new LockHold(
                holder,
                id,
                later.client.equals(id) ? client : later.client,
                Math.min(token, later.token),
                Math.min(from, later.from),
                later.read,
                later.left,
                isSameEnd ? freeAt : later.freeAt,
                Math.max(leaseMillis, later.leaseMillis));
    }

    /** A renewal follows after a third of the lease: an older reading does not know the end of the lease. */
    private End end(boolean isFollowed, Moment now) {
        long age = now.since(read).toMillis();
        if (left > age + EARLY_MILLIS) {
            return End.RELEASED;
        } else if (RENEWALS * age > leaseMillis) {
            return End.UNKNOWN;
        }
        return isFollowed ? End.TAKEN_OVER : End.EXPIRED;
    }

    /**
     * Returns how this hold ended.
     *
     * @param next the hold that follows; empty if the lock is free
     * @param isBroken whether an administrator has removed it
     */
    Ended ended(Optional<LockHold> next, boolean isBroken, Moment now) {
        return new Ended(this, now.wallMicros() / MICROS, isBroken ? End.BROKEN : end(next.isPresent(), now));
    }
}
