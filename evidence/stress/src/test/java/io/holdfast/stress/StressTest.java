package io.holdfast.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.stress.client.Nodes;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the stress program in a short form, in which no client is closed while threads use it. */
@Tag("slow")
@Tag("evidence")
class StressTest {

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "LETTUCE"})
    void run_manyThreads_breaksNoPromise(Nodes.Type nodes) throws InterruptedException {
        StringBuilder log = new StringBuilder();

        Report report = StressRun.of(
                StressPlan.of(nodes, Duration.ofSeconds(4), 7)
                        .withEpoch(Duration.ofSeconds(2))
                        .withClientsKept(),
                line -> log.append(line).append('\n'));

        assertThat(report.isGood())
                .as(Report.header() + "\n" + report.line() + "\n" + report.violations() + log)
                .isTrue();
    }
}
