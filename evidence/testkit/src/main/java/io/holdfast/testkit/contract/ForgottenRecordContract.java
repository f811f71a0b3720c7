package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockOptions;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A contract for the records of a node that may have forgotten some, and that has a quarantine therefore. */
public abstract class ForgottenRecordContract {

    private static final QuorumConfig CONFIG = new QuorumConfig(1, LockOptions.MAX_LEASE);
    private static final Duration KEEP = Duration.ofMinutes(10);
    private static final Duration LEASE = Duration.ofSeconds(30);

    final TestedNode on;
    private final String resource = "record:" + UUID.randomUUID();
    private final Owner owner = Owner.fresh(new SecureRandom());

    ForgottenRecordContract(TestedNode on) {
        this.on = on;
    }

    @AfterEach
    void close() {
        on.close();
    }

    @Test
    void read_inQuarantine_isTheTextOnANodeThatRemembersNothing() {
        write(record("done", 4));

        on.startQuarantine();

        assertThat(read()).isEqualTo(new RecordAnswer(record("done", 4), LockRecord.NEVER));
    }

    /** The record that survived may be an old one. */
    @Test
    void read_afterTheQuarantine_remembersSinceTheAdmission() {
        write(record("done", 4));
        Instant before = now();

        forget(new FencingToken(2));

        RecordAnswer read = read();
        assertThat(read.stored()).isEqualTo(record("done", 4));
        assertThat(read.remembersSince()).isBetween(before, now());
    }

    @Test
    void read_writtenAfterTheQuarantine_remembersWhatTheRecordTakesAccountOf() {
        forget(new FencingToken(2));
        Instant since = now().minusSeconds(1_000);
        LockRecord written = new LockRecord("done", new FencingToken(4), since);

        assertThat(write(written)).isTrue();

        assertThat(read()).isEqualTo(new RecordAnswer(written, since));
    }

    @Test
    void read_writtenDuringTheQuarantine_remembersSinceTheAdmission() {
        Instant before = now();
        on.startQuarantine();
        assertThat(write(record("done", 4))).isTrue();

        admit(new FencingToken(2), Duration.ofMillis(1));

        assertThat(read().stored()).isEqualTo(record("done", 4));
        assertThat(read().remembersSince()).isBetween(before, now());
    }

    @Test
    void read_admittedByAnAdministrator_remembersAll() {
        on.startQuarantine();

        admit(new FencingToken(2), Duration.ZERO);

        assertThat(read().remembersSince()).isEqualTo(LockRecord.ALWAYS);
    }

    @Test
    void write_notAboveAForgottenFence_isRefused() {
        forget(new FencingToken(8));

        assertThat(write(record("late", 8))).isFalse();
        assertThat(read().stored().isPresent()).isFalse();
        assertThat(write(record("done", 9))).isTrue();
    }

    /**
     * A lock that was held during the restart has a token below the forgotten fences, and its holder is the last one.
     */
    @Test
    void write_notAboveAForgottenFenceByTheHolder_isStored() {
        forget(new FencingToken(8));
        FencingToken fence = new FencingToken(on.clockMicros() & ~1L);
        assertThat(result(on.node().ask(Claim.acquire(resource, owner, LEASE, fence))))
                .isEqualTo(Reply.GRANTED);

        assertThat(write(record("done", 6))).isTrue();

        assertThat(read().stored()).isEqualTo(record("done", 6));
    }

    private void forget(FencingToken floor) {
        on.startQuarantine();
        admit(floor, Duration.ofMillis(1));
    }

    /** Ends the quarantine after this time, which is far below the real one. */
    private void admit(FencingToken floor, Duration needed) {
        NodeStanding standing = null;
        for (int probe = 0; !(standing instanceof NodeStanding.Admitted) && probe < 3; probe++) {
            standing = result(on.node()
                    .probe(new QuarantineProbe(
                            "probe-" + probe,
                            "probe-" + (probe + 1),
                            true,
                            Duration.ofSeconds(1),
                            needed,
                            floor,
                            CONFIG)));
        }
        assertThat(standing).isInstanceOf(NodeStanding.Admitted.class);
    }

    private Instant now() {
        return Instant.EPOCH.plus(on.clockMicros(), ChronoUnit.MICROS);
    }

    private static LockRecord record(String text, long fence) {
        return new LockRecord(text, new FencingToken(fence), LockRecord.ALWAYS);
    }

    private RecordAnswer read() {
        return result(on.node().records().read(resource));
    }

    private boolean write(LockRecord record) {
        return result(on.node().records().write(resource, owner, record, KEEP));
    }
}
