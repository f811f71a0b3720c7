package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs all kinds of faults, and single kinds that are rare among all. */
@Tag("evidence")
class FaultSuiteTest {

    /** A lease that a busy machine renews in time: each of its losses counts. */
    private static final Duration UNHURRIED = Duration.ofSeconds(5);

    private static final Duration SHORT = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void run_everyKindOfFault_breaksNoPromise(int nodes) throws IOException, InterruptedException {
        assertGood(FaultPlan.of(7, nodes, SHORT));
    }

    /** Forth and back, by way of clients that have both sets. */
    @Test
    void run_setOfServersChanges_breaksNoPromise() throws IOException, InterruptedException {
        assertGood(FaultPlan.of(8, 1, SHORT.multipliedBy(2)).withOtherNodes(3));
    }

    /**
     * Each of two restarts costs a lease the vote of another server. The second one ends the lease unless the first
     * vote was repaired.
     */
    @Test
    void run_rollingRestartWhileClientsWait_losesNoLease() throws IOException, InterruptedException {
        assertGood(FaultPlan.of(3, 3, SHORT).withLease(UNHURRIED).withKinds(EnumSet.of(FaultKind.ROLLING_RESTART)));
    }

    /** A server that loses data without a restart can be detected only by its marker. */
    @Test
    void run_serversChangeRoles_breaksNoPromise() throws IOException, InterruptedException {
        Set<FaultKind> kinds = EnumSet.of(FaultKind.FAIL_OVER, FaultKind.FAIL_BACK, FaultKind.DEMOTE);
        assertGood(FaultPlan.of(3, 3, SHORT).withKinds(kinds));
    }

    /** With a single server, a client that does not reconnect makes no progress. */
    @Test
    void run_threadStartsFailTemporarily_clientsReconnect() throws IOException, InterruptedException {
        assertGood(FaultPlan.of(4, 1, SHORT).withKinds(EnumSet.of(FaultKind.FAIL_THREADS)));
    }

    private static void assertGood(FaultPlan plan) throws IOException, InterruptedException {
        Report report = FaultRun.of(plan);

        assertThat(report.isGood())
                .as(Report.header() + "\n" + report.line() + "\n" + report.faultLine())
                .isTrue();
    }
}
