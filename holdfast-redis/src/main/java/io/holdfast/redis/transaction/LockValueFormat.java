package io.holdfast.redis.transaction;

import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the key of a lock says: who holds it, and until when. */
public enum LockValueFormat {

    /** The owner; the key's time to live says until when. */
    OWNER {
        @Override
        String value(Claim claim, Instant now) {
            return claim.owner().token();
        }

        @Override
        Duration left(String value, long pttl, Instant now) {
            return ofPttl(pttl);
        }
    },

    /** The Unix time in ms at which the lock ends. Who holds it is kept beside it. */
    MILLIS {
        @Override
        String value(Claim claim, Instant now) {
            return Long.toString(now.millis() + claim.ttl().toMillis());
        }

        @Override
        Duration left(String value, long pttl, Instant now) {
            return ofTimestamp(value, pttl, now);
        }
    },

    /** The same in whole seconds, the next one where the lock ends between two. */
    SECONDS {
        @Override
        String value(Claim claim, Instant now) {
            return Long.toString(-Math.floorDiv(-now.millis() - claim.ttl().toMillis(), SECOND));
        }

        @Override
        Duration left(String value, long pttl, Instant now) {
            return ofTimestamp(value, pttl, now);
        }
    };

    private static final int SECOND = 1_000;
    /** Seconds reach this in the year 5138, milliseconds did in 1973. */
    private static final BigDecimal SECONDS_BELOW = BigDecimal.valueOf(100_000_000_000L);

    /** The server's clock. */
    record Instant(long micros) {
        long millis() {
            return micros / SECOND;
        }
    }

    /** What the key is set to for a claim. */
    abstract String value(Claim claim, Instant now);

    /** How long the lock lasts that the key tells of; zero or less: it has ended. */
    abstract Duration left(String value, long pttl, Instant now);

    /** Whether the key does not say who holds it, so that this is kept beside it. */
    boolean isAnonymous() {
        return this != OWNER;
    }

    /** For how many ms the key has to live, so that it is not gone before the lock ends. */
    long keyMillis(Claim claim, Instant now) {
        return left(value(claim, now), claim.ttl().toMillis(), now).toMillis();
    }

    private static Duration ofPttl(long pttl) {
        return pttl < 0 ? Reply.Refused.ENDLESS : Duration.ofMillis(Math.max(1, pttl));
    }

    /** Others may write seconds, with a fraction or without, or milliseconds: the number itself tells which. */
    private static Duration ofTimestamp(String value, long pttl, Instant now) {
        @Nullable BigDecimal number = number(value);
        if (number == null) {
            return ofPttl(pttl);
        }
        BigDecimal millis = number.compareTo(SECONDS_BELOW) < 0 ? number.movePointRight(3) : number;
        return Duration.ofMillis(millis.longValue() - now.millis());
    }

    private static @Nullable BigDecimal number(String value) {
        try {
            return new BigDecimal(value);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
