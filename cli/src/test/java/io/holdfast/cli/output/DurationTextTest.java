package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({"0, 0s", "10, 10ms", "30000, 30s", "60000, 1m", "5400000, 1h30m", "86400000, 24h", "1500, 1s500ms"})
    void setting_duration_isTheNotationOfTheCommandLine(long millis, String text) {
        assertThat(DurationText.setting(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.0 s", "1002, 1.0 s", "119900, 119.9 s", "125000, 2 min 5 s", "3900000, 1 h 5 min"})
    void measured_duration_isRounded(long millis, String text) {
        assertThat(DurationText.measured(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
