package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fault suite in a short form. */
@Timeout(120)
class FaultSuiteTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void run_everyKindOfFault_breaksNoPromise(int nodes) throws IOException, InterruptedException {
        Report report = FaultRun.of(FaultPlan.of(7, nodes, Duration.ofSeconds(10)));

        assertThat(report.isGood())
                .as(Report.header() + "\n" + report.line() + "\n" + report.faultLine())
                .isTrue();
    }
}
