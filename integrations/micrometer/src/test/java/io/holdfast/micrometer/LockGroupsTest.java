package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockGroupsTest {

    @ParameterizedTest
    @CsvSource({"order:42, order", "order:42:item, order", "nightly, nightly", ":x, other"})
    void of_name_isThePartBeforeTheColon(String name, String group) {
        assertThat(LockGroups.beforeColon().of(name)).isEqualTo(group);
    }

    @ParameterizedTest
    @CsvSource({"shop:order:42, order", "shop:, other", "leader:reports, leader", "job, job"})
    void of_nameWithPrefixOrWithout_isThePartBeforeTheColonAfterThePrefix(String name, String group) {
        assertThat(LockGroups.beforeColon("shop:").of(name)).isEqualTo(group);
    }

    @Test
    void of_moreGroupsThanTheLimit_isOther() {
        LockGroups groups = LockGroups.by(name -> name, 2);

        assertThat(groups.of("a")).isEqualTo("a");
        assertThat(groups.of("b")).isEqualTo("b");
        assertThat(groups.of("c")).isEqualTo("other");
        assertThat(groups.of("a")).isEqualTo("a");
    }

    @Test
    @SuppressWarnings("NullAway")
    void of_functionThrowsOrReturnsNull_isOther() {
        LockGroups failing = LockGroups.by(name -> name.substring(100), 10);
        LockGroups absent = LockGroups.by(name -> null, 10);

        assertThat(failing.of("order:42")).isEqualTo("other");
        assertThat(absent.of("order:42")).isEqualTo("other");
    }

    @Test
    void by_limitBelowOne_namesValueAndRemedy() {
        assertThatThrownBy(() -> LockGroups.by(name -> name, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit 0 is below 1");
    }
}
