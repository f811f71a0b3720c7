package io.holdfast.redis.transaction;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.transaction.LockValueFormat.Instant;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock as a node without scripts has read it, while it watches the keys.
 *
 * @param value the value of the lock's key, or null
 * @param pttl the reply to {@code PTTL} of the lock's key
 * @param fence the greatest accepted fence
 * @param ownerRecord where the lock's value does not contain the owner: the value and the owner that the last Holdfast
 *     client stored, or null
 * @param now the server's clock
 */
record WatchedState(
        @Nullable String value,
        long pttl,
        FencingToken fence,
        @Nullable String ownerRecord,
        Instant now) {

    private static final int SIDE_KEYS = 2;

    /**
     * Returns the state from the replies to {@code WATCH}, {@code PTTL} and {@code GET} of the lock, {@code MGET} of
     * the fence and the owner key, and {@code TIME}; null if they are not what a server replies, or the fence is none
     * of Holdfast. {@code PTTL} precedes {@code GET}: the time to live of the next holder must not count for this one.
     */
    static @Nullable WatchedState of(List<RedisReply> replies) {
        List<?> values = RedisReplies.list(replies.get(3));
        long micros = RedisReplies.micros(replies.get(4));
        if (values.size() != SIDE_KEYS
                || micros <= 0
                || !(replies.get(1) instanceof RedisReply.Value ttl)
                || !(replies.get(2) instanceof RedisReply.Value lock)
                || !(ttl.value() instanceof Long pttl)) {
            return null;
        }
        try {
            return new WatchedState(
                    (String) lock.value(),
                    pttl,
                    fence((String) values.get(0)),
                    (String) values.get(1),
                    new Instant(micros));
        } catch (IllegalArgumentException | ClassCastException malformed) {
            return null;
        }
    }

    private static FencingToken fence(@Nullable String stored) {
        return stored == null ? FencingToken.NONE : new FencingToken(Long.parseLong(stored));
    }

    /** Returns the server's time as a fence, or the accepted fence if that is greater. */
    FencingToken present() {
        return FencingToken.NONE.plus(Math.max(now.micros(), fence.value()));
    }

    /** Returns how long the lock is still held, or zero if it is free. */
    Duration timeLeft(LockValueFormat format) {
        if (value == null) {
            return Duration.ZERO;
        }
        Duration left = format.timeLeft(value, pttl, now);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns {@code true} if the claim's owner holds the lock. */
    boolean isHeldBy(Claim claim, LockValueFormat format) {
        return value != null
                && !timeLeft(format).isZero()
                && (format.isAnonymous()
                        ? ownerRecord(value, claim).equals(ownerRecord)
                        : claim.owner().token().equals(value));
    }

    /** Returns the mark of the holder's owner; empty if no Holdfast client holds the lock and its value is a time. */
    String holderMark(LockValueFormat format) {
        if (value == null) {
            return "";
        } else if (!format.isAnonymous()) {
            return Owner.markOf(value);
        }
        return ownerRecord != null && ownerRecord.startsWith(value + " ")
                ? Owner.markOf(ownerRecord.substring(value.length() + 1))
                : "";
    }

    /** Returns the record that is stored in the owner key. */
    static String ownerRecord(String value, Claim claim) {
        return value + " " + claim.owner().token();
    }
}
