package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fault suite in a short form. */
@Timeout(180)
class FaultSuiteTest {

    private static final Duration BRIEF = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void run_everyKindOfFault_breaksNoPromise(int nodes) throws IOException, InterruptedException {
        assertGood(FaultPlan.of(7, nodes, BRIEF));
    }

    /** Each of two restarts of different servers takes a vote from a lease; the second ends it unless the first was made up for. */
    @Test
    void run_rollingRestartWhileClientsWait_losesNoLease() throws IOException, InterruptedException {
        assertGood(FaultPlan.of(3, 3, BRIEF).withKinds(EnumSet.of(FaultKind.ROLLING_RESTART)));
    }

    /** A server of its own process that forgets, between healthy ones: the marker has to tell. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void run_serversChangeRoles_breaksNoPromise(int nodes) throws IOException, InterruptedException {
        Set<FaultKind> kinds = EnumSet.of(FaultKind.FAIL_OVER, FaultKind.FAIL_BACK, FaultKind.DEMOTE);
        assertGood(FaultPlan.of(3, nodes, BRIEF).withKinds(kinds));
    }

    /** With one server, a client that does not come back to it cannot hide behind the others. */
    @Test
    void run_threadsCannotBeStartedForAMoment_clientsConnectAgain() throws IOException, InterruptedException {
        assertGood(FaultPlan.of(4, 1, BRIEF).withKinds(EnumSet.of(FaultKind.FAIL_THREADS)));
    }

    private static void assertGood(FaultPlan plan) throws IOException, InterruptedException {
        Report report = FaultRun.of(plan);

        assertThat(report.isGood())
                .as(Report.header() + "\n" + report.line() + "\n" + report.faultLine())
                .isTrue();
    }
}
