package io.holdfast.redis.transaction;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.redis.transaction.LockValueFormat.Instant;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node without scripts has read of a lock, under the {@code WATCH} of its keys.
 *
 * @param value that of the lock's key, or null
 * @param pttl how many ms that key lives
 * @param fence the greatest that was accepted
 * @param beside of an anonymous key: its value and the owner, as the last Holdfast client has left them; or null
 * @param now the server's clock
 */
record WatchedState(
        @Nullable String value,
        long pttl,
        FencingToken fence,
        @Nullable String beside,
        Instant now) {

    /** From the values of the three keys, and the rest. */
    static WatchedState of(List<?> values, long pttl, long micros) {
        Object fence = values.get(1);
        return new WatchedState(
                (String) values.get(0),
                pttl,
                fence == null ? FencingToken.NONE : new FencingToken(Long.parseLong((String) fence)),
                (String) values.get(2),
                new Instant(micros));
    }

    /** How long somebody holds the lock; zero: it is free. */
    Duration left(LockValueFormat form) {
        if (value == null) {
            return Duration.ZERO;
        }
        Duration left = form.left(value, pttl, now);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Whether the claim's owner holds it. */
    boolean isOf(Claim claim, LockValueFormat form) {
        return value != null
                && !left(form).isZero()
                && (form.isAnonymous()
                        ? beside(value, claim).equals(beside)
                        : claim.owner().token().equals(value));
    }

    /** What is kept beside an anonymous key. */
    static String beside(String value, Claim claim) {
        return value + " " + claim.owner().token();
    }
}
