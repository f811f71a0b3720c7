package io.holdfast.simulation.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockOptions;
import io.holdfast.simulation.plan.Faults;
import io.holdfast.simulation.plan.Plan;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTableTest {

    @ParameterizedTest
    @CsvSource({
        "PT0.0003S, 0.3 ms",
        "PT0.05S, 50 ms",
        "PT2.5S, 2.5 s",
        "PT1M30S, 1 min 30 s",
        "PT2H, 2 h",
        "PT2H5M, 2 h 5 min"
    })
    void words_duration_areThoseOfAPerson(Duration duration, String words) {
        assertThat(PlanTable.words(duration)).isEqualTo(words);
    }

    @Test
    void words_forever_isNone() {
        assertThat(PlanTable.words(LockOptions.FOREVER)).isEqualTo("none");
    }

    @Test
    void of_drawnPlans_haveNoDurationOfJavaAndNoHugeNumber() {
        LongStream.range(0, 50)
                .mapToObj(seed -> Plan.of(seed, 3))
                .flatMap(plan -> PlanTable.of(plan).stream())
                .forEach(row -> assertThat(row.value())
                        .isNotEmpty()
                        .doesNotContain("PT")
                        .doesNotContain("8766"));
    }

    @Test
    void of_disabledFault_hasNoRow() {
        Plan plan = Plan.of(1, 3);
        Faults crashes = Faults.NONE.withCrash(Duration.ofSeconds(4), 0.5);

        assertThat(PlanTable.of(plan.with(Faults.NONE)))
                .noneMatch(row -> row.name().equals("crash"));
        assertThat(PlanTable.of(plan.with(crashes)))
                .contains(new PlanTable.Row(
                        "faults, on average on each machine", "crash", "every 4 s, 50 % of them without its data"));
    }
}
