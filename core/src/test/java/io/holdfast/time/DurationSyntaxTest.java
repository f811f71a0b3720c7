package io.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationSyntaxTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "10s, 10000",
        "1.5s, 1500",
        "500ms, 500",
        "30s, 30000",
        "1h30m, 5400000",
        "2d, 172800000",
        "0.25m, 15000",
        "1m500ms, 60500"
    })
    void parse_numberWithOrWithoutUnit_returnsTheDuration(String text, long millis) {
        assertThat(DurationSyntax.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"0.5ms, 500000", "0.000000001d, 86400", "0.1234567ms, 123456", "36499.999999999d, 3153599999999913600"})
    void parse_fraction_isExactToTheNanosecond(String text, long nanos) {
        assertThat(DurationSyntax.parse(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @Test
    void parseLimit_forever_isNeverReached() {
        assertThat(DurationSyntax.parseLimit("forever")).isEqualTo(Durations.FOREVER);
        assertThat(DurationSyntax.parseLimit("10s")).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10", "1.5", "00"})
    void parse_noUnit_isRefusedWithTheRemedy(String text) {
        assertThatThrownBy(() -> DurationSyntax.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' has no unit; write 500ms, 30s, 2m or 1h");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "s", "forever", "-1", "1x", "1.s", ".5", "1s ", "1 s", "1s1", "1,5s", "0x10", "1e3", "PT1S"})
    void parse_otherText_isRejectedWithExamples(String text) {
        assertThatThrownBy(() -> DurationSyntax.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text
                        + "' is not a duration; write a number with ms, s, m, h or d, such as 500ms, 30s or 1h30m");
    }

    @Test
    void parse_thousandsOfParts_isRejectedInAShortMessage() {
        assertThatThrownBy(() -> DurationSyntax.parse("1s".repeat(20_000)))
                .hasMessageStartingWith("'1s1s1s")
                .hasMessageContaining("...' is not a duration");
    }

    @Test
    void parse_longerThanAnyLimit_returnsTheLongestLimit() {
        assertThat(DurationSyntax.parse("999999999d")).isEqualTo(Durations.FOREVER);
        assertThat(DurationSyntax.parse("999999999d999999999h")).isEqualTo(Durations.FOREVER);
    }
}
