package io.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.exit.Failure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time zones whose days {@code --once-per} can use. */
class OncePerTest {

    @ParameterizedTest
    @ValueSource(strings = {"GMT+3", "GMT-03:00", ":GMT+3", "IST", "PST", "BST"})
    void requireCommonZone_otherMeaningInPosix_isRejectedWithTheRemedy(String zone) {
        assertThatThrownBy(() -> OncePer.requireCommonZone(zone))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("TZ=" + zone)
                .hasMessageEndingWith("write TZ=Area/City, such as Europe/Berlin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Europe/Berlin", ":Asia/Kolkata", "UTC", "GMT", "GMT+0", "EST", "EST5EDT", "UTC+3", "CET"})
    void requireCommonZone_sameMeaning_isAccepted(String zone) {
        assertThatCode(() -> OncePer.requireCommonZone(zone)).doesNotThrowAnyException();
    }
}
