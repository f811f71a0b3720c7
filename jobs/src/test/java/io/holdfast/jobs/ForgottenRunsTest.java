package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jobs.JobResult.Kind;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job with a period on nodes that are restarted, or that do not answer. */
class ForgottenRunsTest {

    private final Machines machines = new Machines();
    private final Job daily = Job.of(machines.holdfast(), "report")
            .withClock(machines.clock(Duration.ZERO))
            .oncePer(JobPeriod.parse("20h"));

    private Kind run() throws InterruptedException {
        return run(daily);
    }

    private static Kind run(Job job) throws InterruptedException {
        return job.run(run -> {}).kind();
    }

    /** The nodes have been in use for longer than a period: whatever they do not know has not happened. */
    @BeforeEach
    void useNodes() throws InterruptedException {
        assertThat(run()).isEqualTo(Kind.RAN);
        machines.pass(Duration.ofHours(30));
    }

    /** The success was confirmed by two nodes, of which one has forgotten it since, and the other is down. */
    private void succeedOnANodeThatIsDown() throws InterruptedException {
        machines.node(0).down();
        assertThat(run()).isEqualTo(Kind.RAN);
        machines.node(0).up();
        machines.node(1).restart();
        machines.node(2).down();
    }

    @Test
    void run_nodesAreRestartedInTurn_isSkipped() throws InterruptedException {
        assertThat(run()).isEqualTo(Kind.RAN);

        for (int node = 0; node < 3; node++) {
            machines.node(node).restart();
            assertThat(run()).isEqualTo(Kind.SUCCEEDED_BEFORE);
            assertThat(machines.node(node).text("report")).startsWith("runs-2\t1");
        }
    }

    /** Otherwise no job would run for the rest of its period after a power cut. */
    @Test
    void run_allNodesHaveForgottenTheSuccess_runsAgain() throws InterruptedException {
        assertThat(run()).isEqualTo(Kind.RAN);
        for (int node = 0; node < 3; node++) {
            machines.node(node).restart();
        }

        daily.run(run -> assertThat(run.decision().reason()).isEqualTo(JobDecision.Reason.FORGOTTEN));

        assertThat(run()).isEqualTo(Kind.SUCCEEDED_BEFORE);
    }

    @Test
    void run_nodeThatMayKnowOfASuccessIsDown_doesNotRunUnlessThatIsWanted() throws InterruptedException {
        succeedOnANodeThatIsDown();

        assertThat(run()).isEqualTo(Kind.UNKNOWN);
        assertThat(run(daily.runIfUnknown())).isEqualTo(Kind.RAN);
        machines.node(2).up();
        assertThat(run()).isEqualTo(Kind.SUCCEEDED_BEFORE);
    }

    /** A run that does not know the latest history must not write an older one under its higher token. */
    @Test
    void run_nodeThatKnowsOfTheSuccessReturnsAfterAnUnknownRun_isSkipped() throws InterruptedException {
        succeedOnANodeThatIsDown();
        assertThat(run()).isEqualTo(Kind.UNKNOWN);

        machines.node(2).up();

        assertThat(run()).isEqualTo(Kind.SUCCEEDED_BEFORE);
    }

    /** Two nodes fail after the start, so that only one has the success. */
    private Kind runOnAMinority() throws InterruptedException {
        JobResult result = daily.run(run -> {
            machines.node(0).down();
            machines.node(1).down();
        });
        machines.node(0).up();
        machines.node(1).up();
        return result.kind();
    }

    @Test
    void run_successOnAMinorityThatAnswers_isSkipped() throws InterruptedException {
        assertThat(runOnAMinority()).isEqualTo(Kind.RAN_UNRECORDED);
        machines.pass(Machines.MAX_LEASE);

        assertThat(run()).isEqualTo(Kind.SUCCEEDED_BEFORE);
        machines.node(2).down();
        assertThat(run()).isEqualTo(Kind.SUCCEEDED_BEFORE);
    }

    /** The run was reported as unrecorded, so the job may run again. */
    @Test
    void run_successOnAMinorityThatDoesNotAnswer_runsAgain() throws InterruptedException {
        assertThat(runOnAMinority()).isEqualTo(Kind.RAN_UNRECORDED);
        machines.pass(Machines.MAX_LEASE);
        machines.node(2).down();

        assertThat(run()).isEqualTo(Kind.RAN);
    }

    /** The clock of the machine is before those of the nodes, which have forgotten what was before their restart. */
    @Test
    void run_clockOfTheNodesIsBehind_countsOnlyWhatTheyCannotHaveForgotten() throws InterruptedException {
        succeedOnANodeThatIsDown();
        Duration sinceTheRestart = Duration.ofHours(20).minusSeconds(20);
        machines.pass(sinceTheRestart);

        Job ahead = daily.withClock(machines.clock(Duration.ofSeconds(30)));

        assertThat(run(ahead)).isEqualTo(Kind.UNKNOWN);
        machines.pass(Duration.ofMinutes(2));
        assertThat(run(ahead)).isEqualTo(Kind.RAN);
    }
}
