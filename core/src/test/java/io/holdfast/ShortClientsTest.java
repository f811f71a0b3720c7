package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.MachineReading;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The quarantine of a node whose clients are all connected for a moment only, as the jobs of cron are. */
class ShortClientsTest {

    private static final Duration MAX_LEASE = Duration.ofSeconds(60);
    private static final Duration QUARANTINE = Duration.ofSeconds(66);
    private static final Duration JOB = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().maxLease(MAX_LEASE).build();

    private final VirtualTime time = new VirtualTime();
    private final List<InMemoryNode> nodes = IntStream.range(0, 3)
            .mapToObj(i -> InMemoryNode.guarded("node-" + i, time))
            .toList();

    /** The time of a process on a machine. */
    private static final class OnMachine extends ForwardingTime {

        private final String machine;
        private final Duration ahead;

        OnMachine(Time time, String machine, Duration ahead) {
            super(time);
            this.machine = machine;
            this.ahead = ahead;
        }

        @Override
        public MachineReading machineReading() {
            return new MachineReading(machine, Duration.ofNanos(now().nanos()).plus(ahead));
        }
    }

    private void admitAllAndRestartOne() {
        QuarantineProbe admission =
                QuarantineProbe.admission("test", FencingToken.NONE, new QuorumConfig(nodes.size(), MAX_LEASE));
        nodes.forEach(node -> node.probe(admission));
        nodes.get(2).restart(false);
    }

    /** Connects for as long as a short job. Returns whether all nodes voted at its end. */
    private boolean job(Time machine) {
        try (Holdfast client = Holdfast.over(nodes, OPTIONS, machine, new Random(1))) {
            time.advance(JOB);
            return client.nodes().stream().allMatch(NodeStatus::votes);
        } finally {
            time.advance(PAUSE);
        }
    }

    private Duration untilAllVote(Duration limit) {
        long begun = time.now().nanos();
        for (int i = 0; time.now().nanos() - begun < limit.toNanos(); i++) {
            if (job(new OnMachine(time, "machine-" + i % 2, Duration.ofDays(i % 2)))) {
                return Duration.ofNanos(time.now().nanos() - begun);
            }
        }
        return Duration.ZERO;
    }

    @Test
    void probe_jobsOfAMoment_endTheQuarantineSoonAfterItsLength() {
        admitAllAndRestartOne();

        assertThat(untilAllVote(QUARANTINE.multipliedBy(2)))
                .isBetween(QUARANTINE, QUARANTINE.plus(PAUSE.multipliedBy(4)));
    }

    @Test
    void probe_nodeForgetsAgain_theTimeBeforeDoesNotCount() {
        admitAllAndRestartOne();
        for (int i = 0; i < 12; i++) {
            assertThat(job(new OnMachine(time, "machine", Duration.ZERO))).isFalse();
        }

        nodes.get(2).flush();

        assertThat(untilAllVote(QUARANTINE.multipliedBy(2))).isGreaterThan(QUARANTINE);
    }

    /** Each machine compares readings of its own clock only. */
    @Test
    void probe_jobsOnAnotherMachineEachTime_doNotEndTheQuarantine() {
        admitAllAndRestartOne();

        for (int i = 0; i < 30; i++) {
            assertThat(job(new OnMachine(time, "machine-" + i, Duration.ofDays(i))))
                    .isFalse();
        }
    }

    /** A machine that was copied with its memory has the name and nearly the clock of the original. */
    @Test
    void probe_clockOfTheMachineLeapsForward_theClockOfTheServerBounds() {
        admitAllAndRestartOne();
        job(new OnMachine(time, "machine", Duration.ZERO));

        assertThat(job(new OnMachine(time, "machine", Duration.ofHours(1)))).isFalse();
    }

    @Test
    void probe_clockOfTheServerIsSetForward_theClockOfTheMachineBounds() {
        admitAllAndRestartOne();
        job(new OnMachine(time, "machine", Duration.ZERO));
        time.stepWallClock(Duration.ofHours(1));

        assertThat(job(new OnMachine(time, "machine", Duration.ZERO))).isFalse();
    }

    /** A reading from before this quarantine, which a slow network delivers now. */
    @Test
    void probe_readingOfAnEarlierQuarantine_isNotKept() {
        InMemoryNode node = nodes.get(0);
        probe(node, "a:0", "a:1", "", Duration.ofSeconds(10));
        node.flush();
        probe(node, "b:0", "b:1", "", Duration.ofSeconds(100));
        probe(node, "a:1", "a:2", "a:1", Duration.ofSeconds(11));

        time.advance(Duration.ofSeconds(20));
        probe(node, "b:1", "b:2", "b:1", Duration.ofMinutes(2));

        assertThat(probe(node, "b:2", "b:3", "b:1", Duration.ofMinutes(2)))
                .hasToString("Quarantined[observed=PT0S, byUs=true, quarantine=b:1]");
    }

    private static Object probe(LockNode node, String observer, String next, String known, Duration uptime) {
        QuarantineProbe probe = new QuarantineProbe(
                observer,
                next,
                false,
                Duration.ZERO,
                QUARANTINE,
                null,
                new QuorumConfig(3, MAX_LEASE),
                null,
                known,
                new MachineReading("machine", uptime));
        return Completed.value(node.probe(probe));
    }
}
