package io.holdfast.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Reply;
import io.holdfast.redis.transaction.LockValueFormat.Instant;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockValueFormatTest {

    private static final Instant NOW = new Instant(1_700_000_000_000_000L);

    @ParameterizedTest
    @CsvSource({"1700000001.5, 1500", "1700000002, 2000", "1700000000250, 250", "1.700000003e9, 3000", "0, -1"})
    void timeLeft_numberOfAnotherClient_isSecondsOrMilliseconds(String value, long expected) {
        assertThat(LockValueFormat.MILLIS.timeLeft(value, -1, NOW)).isEqualTo(Duration.ofMillis(expected));
    }

    /** Such a number has a billion digits, and one that wraps around would be in the past. */
    @ParameterizedTest
    @CsvSource({"1e999999999", "9e99", "99999999999999999999999", "NaN", "word"})
    void timeLeft_valueBeyondAllTimes_neverEndsWithoutATimeToLive(String value) {
        assertThat(LockValueFormat.SECONDS.timeLeft(value, -1, NOW)).isEqualTo(Reply.Refused.ENDLESS);
    }

    @Test
    void timeLeft_greatestTimeToLive_isEndless() {
        assertThat(LockValueFormat.OWNER.timeLeft("owner", Long.MAX_VALUE, NOW)).isEqualTo(Reply.Refused.ENDLESS);
    }
}
