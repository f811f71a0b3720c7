package io.holdfast.redis.transaction;

import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Formats of the value of a lock's key, which states the owner or the end of the lock. */
public enum LockValueFormat {

    /** The owner; the key's time to live is that of the lock. */
    OWNER,

    /** The Unix time in ms at which the lock ends. The owner is stored in a key of its own. */
    MILLIS,

    /** As {@link #MILLIS}, in whole seconds, rounded up. */
    SECONDS;

    private static final int SECOND = 1_000;

    /** The reply to {@code PTTL} of a key that never expires; of a key that does not exist, it is −2. */
    private static final long NO_TIME_TO_LIVE = -1;

    /** Any client may write the value, and the digits of 1e999999999 would fill the memory. */
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(\\.\\d{0,18})?([eE][+-]?\\d{1,2})?");

    private static final BigDecimal ENDED = BigDecimal.valueOf(-1);
    private static final BigDecimal ENDLESS = BigDecimal.valueOf(Reply.Refused.ENDLESS.toMillis());
    /** Seconds reach this in the year 5138, milliseconds did in 1973. */
    private static final BigDecimal SECONDS_BELOW = BigDecimal.valueOf(100_000_000_000L);

    /** The server's clock. */
    record Instant(long micros) {
        long millis() {
            return micros / SECOND;
        }
    }

    /** Returns the value to which the key is set for a claim. */
    String value(Claim claim, Instant now) {
        return switch (this) {
            case OWNER -> claim.owner().token();
            case MILLIS -> Long.toString(now.millis() + claim.ttl().toMillis());
            case SECONDS ->
                Long.toString(-Math.floorDiv(-now.millis() - claim.ttl().toMillis(), SECOND));
        };
    }

    /** Returns how long the lock still lasts; zero or negative if it has ended. */
    Duration timeLeft(String value, long pttl, Instant now) {
        return isAnonymous() ? ofTimestamp(value, pttl, now) : ofPttl(pttl);
    }

    /** Returns {@code true} if the value does not contain the owner, which is then stored in a key of its own. */
    boolean isAnonymous() {
        return this != OWNER;
    }

    /** Returns the time to live in ms that makes the key outlive the lock. */
    long keyMillis(Claim claim, Instant now) {
        return timeLeft(value(claim, now), claim.ttl().toMillis(), now).toMillis();
    }

    /** A key that was set after {@code PTTL} has replied that there is none may end at any time. */
    private static Duration ofPttl(long pttl) {
        return pttl == NO_TIME_TO_LIVE ? Reply.Refused.ENDLESS : notEndless(BigDecimal.valueOf(Math.max(1, pttl)));
    }

    /** Other clients may write seconds, with or without a fraction, or milliseconds: the size of the number decides. */
    private static Duration ofTimestamp(String value, long pttl, Instant now) {
        @Nullable BigDecimal number = number(value);
        if (number == null) {
            return ofPttl(pttl);
        }
        BigDecimal millis = number.compareTo(SECONDS_BELOW) < 0 ? number.movePointRight(3) : number;
        return notEndless(millis.subtract(BigDecimal.valueOf(now.millis())));
    }

    private static Duration notEndless(BigDecimal millis) {
        return Duration.ofMillis(millis.max(ENDED).min(ENDLESS).longValue());
    }

    private static @Nullable BigDecimal number(String value) {
        return NUMBER.matcher(value).matches() ? new BigDecimal(value) : null;
    }
}
