package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.quorum.NewestRecord;
import io.holdfast.quorum.NodeSets;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The record beside a lock on nodes that are restarted and forget it. */
@Execution(ExecutionMode.CONCURRENT)
class RecordTest {

    private static final Duration KEEP = Duration.ofDays(2);
    private static final Duration MAX_LEASE = Duration.ofSeconds(60);
    private static final Duration QUARANTINE = Duration.ofSeconds(66);
    private static final LockOptions LOCK =
            LockOptions.builder().waitLimit(Duration.ZERO).build();

    private final VirtualTime time = new VirtualTime();
    private List<UnreliableNode> nodes = List.of();
    private Holdfast client = connected(3);

    private Holdfast connected(int count) {
        nodes = IntStream.range(0, count)
                .mapToObj(i -> UnreliableNode.guarded("node-" + i, time))
                .toList();
        client = Holdfast.over(
                nodes, HoldfastOptions.builder().maxLease(MAX_LEASE).build(), time, new Random(3));
        QuarantineProbe admission =
                QuarantineProbe.admission("test", FencingToken.NONE, new QuorumConfig(count, MAX_LEASE));
        nodes.forEach(node -> node.node().probe(admission));
        return client;
    }

    private Lease lease() {
        CompletableFuture<Lease> lease = client.lock("job", LOCK).acquireAsync();
        time.settle();
        return Completed.value(lease);
    }

    /** Writes the text as one holder; returns whether a majority has confirmed it. */
    private boolean write(String text) {
        Lease lease = lease();
        HeldRecord record = lease.record();
        record.read();
        boolean confirmed = record.write(text, KEEP);
        release(lease);
        return confirmed;
    }

    private LockRecord read() {
        Lease lease = lease();
        LockRecord read = lease.record().read();
        release(lease);
        return read;
    }

    private void release(Lease lease) {
        lease.releaseAsync();
        time.settle();
    }

    private static LockRecord latest(LockRecord record) {
        return new LockRecord(record.text(), record.fence(), record.completeSince(), record.revision(), true);
    }

    private Instant now() {
        return Instant.EPOCH.plus(time.now().wallMicros(), ChronoUnit.MICROS);
    }

    /** Restarts the node without its memory, and waits until it votes again. */
    private void restart(int node) {
        nodes.get(node).node().restart(false);
        time.advance(QUARANTINE.plusSeconds(30));
        assertThat(nodes.get(node).node().votes()).isTrue();
    }

    @Test
    void write_underASharedLease_writesNothing() {
        Lease lease = lease();
        HeldRecord record = lease.record();
        record.read();
        lease.downgrade();
        time.settle();

        assertThat(record.write("shared", KEEP)).isFalse();
        release(lease);
        assertThat(read().isPresent()).isFalse();
    }

    @Test
    void read_newNodes_isCompleteAndNone() {
        assertThat(read()).isEqualTo(latest(LockRecord.none(LockRecord.ALWAYS)));
    }

    @Test
    void read_writtenByTheLastHolder_isFound() {
        Lease lease = lease();
        HeldRecord record = lease.record();
        record.read();
        assertThat(record.write("done", KEEP)).isTrue();
        release(lease);

        assertThat(read()).isEqualTo(latest(new LockRecord("done", lease.fencingToken(), LockRecord.ALWAYS)));
        assertThat(client.admin().record("job").text()).isEqualTo("done");
    }

    @Test
    void read_afterItsTimeToLive_isNone() {
        write("done");

        time.advance(KEEP.plusMillis(1));

        assertThat(read().isPresent()).isFalse();
    }

    /** The node that was down during the write and the one that forgot it are a majority, and know nothing. */
    @Test
    void read_onlyNodeWithTheRecordIsDown_isNotComplete() {
        nodes.get(2).down();
        Instant written = now();
        assertThat(write("done")).isTrue();
        nodes.get(2).up();
        restart(0);
        nodes.get(1).down();

        LockRecord missed = read();

        assertThat(missed.isPresent()).isFalse();
        assertThat(missed.isCompleteSince(written)).isFalse();
        assertThat(missed.isCompleteSince(now())).isTrue();
        nodes.get(1).up();
        assertThat(read().text()).isEqualTo("done");
    }

    @Test
    void read_tooFewNodesAnswer_isNeverComplete() {
        Lease lease = lease();
        nodes.get(0).silent(true);
        nodes.get(1).silent(true);

        HeldRecord record = lease.record();

        assertThat(record.read().completeSince()).isEqualTo(LockRecord.NEVER);
        assertThat(record.write("done", KEEP)).isFalse();
    }

    /** A node that was down has an earlier text of the same lease. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void read_nodeHasAnEarlierTextOfTheLease_isTheLastText(int behind) {
        Lease lease = lease();
        HeldRecord record = lease.record();
        record.read();
        assertThat(record.write("started", KEEP)).isTrue();
        nodes.get(behind).down();
        assertThat(record.write("ended", KEEP)).isTrue();
        nodes.get(behind).up();
        release(lease);

        assertThat(read().text()).isEqualTo("ended");
        nodes.get((behind + 1) % 3).down();
        assertThat(read().text()).isEqualTo("ended");
    }

    /**
     * Each holder writes what it has read, so a node that was restarted has the record again before the next one is.
     */
    @Test
    void read_nodesAreRestartedOneAfterAnother_isFound() {
        Instant written = now();
        write("done");

        for (int node = 0; node < 3; node++) {
            restart(node);
            LockRecord record = read();
            assertThat(record.text()).isEqualTo("done");
            assertThat(record.isCompleteSince(written)).isTrue();
            write(record.text());
        }
        nodes.get(1).down();
        assertThat(read().text()).isEqualTo("done");
        assertThat(read().completeSince()).isEqualTo(LockRecord.ALWAYS);
    }

    /** A node in quarantine has a floor above the token of the lease when it votes again. */
    @Test
    void write_lockIsHeldDuringRestartsOfAllNodes_isConfirmed() {
        Lease lease = lease();
        HeldRecord record = lease.record();
        record.read();
        for (int node = 0; node < 3; node++) {
            restart(node);
        }

        assertThat(lease.isValid()).isTrue();
        assertThat(record.write("done", KEEP)).isTrue();
        release(lease);
        assertThat(read().text()).isEqualTo("done");
    }

    /** The third node never had the text, so all answers together do not show that there was none. */
    @Test
    void read_allNodesAnswerAndThoseWithTheTextHaveForgotten_isNotComplete() {
        nodes.get(2).down();
        assertThat(write("done")).isTrue();
        Instant written = now();
        nodes.get(2).up();
        restart(0);
        restart(1);

        LockRecord missed = read();

        assertThat(missed.isPresent()).isFalse();
        assertThat(missed.isCompleteSince(written)).isFalse();
        assertThat(missed.isCompleteSince(now())).isTrue();
        assertThat(missed.isLatest()).isTrue();
        assertThat(write("next")).isTrue();
        assertThat(read().isCompleteSince(written)).isFalse();
        nodes.get(1).down();
        assertThat(read().isLatest()).isTrue();
    }

    @Test
    void read_allNodesHaveForgotten_isNoneAndCompleteSinceThen() {
        write("done");
        Instant written = now();
        IntStream.range(0, 3).forEach(this::restart);

        LockRecord read = read();

        assertThat(read.isPresent()).isFalse();
        assertThat(read.isCompleteSince(written)).isFalse();
        assertThat(read.isCompleteSince(now())).isTrue();
        assertThat(read.isLatest()).isTrue();
    }

    /** Three of four nodes confirm a text, so one of each two nodes has it. */
    @Test
    void newest_fourNodes_needsTwoThatRemember() {
        Instant then = Instant.EPOCH.plusSeconds(7);
        RecordAnswer all = new RecordAnswer(LockRecord.none(LockRecord.ALWAYS), LockRecord.ALWAYS);
        RecordAnswer some = new RecordAnswer(LockRecord.none(LockRecord.ALWAYS), then);

        assertThat(NewestRecord.of(Arrays.asList(all, some, some, null), NodeSets.of(4))
                        .completeSince())
                .isEqualTo(then);
        assertThat(NewestRecord.of(Arrays.asList(all, all, some, null), NodeSets.of(4))
                        .completeSince())
                .isEqualTo(LockRecord.ALWAYS);
    }

    /** A holder that was paused beyond its lease must not replace what the next holder has written. */
    @Test
    void write_leaseIsLostAndAnotherHasWritten_isRefused() {
        Lease paused = lease();
        HeldRecord late = paused.record();
        late.read();
        nodes.forEach(node -> node.node().evict("job"));
        write("next");

        assertThat(late.write("late", KEEP)).isFalse();
        assertThat(read().text()).isEqualTo("next");
    }

    /** The node that has forgotten the later record must not accept the earlier one, and pass it off as the newest. */
    @Test
    void write_nodeHasForgottenALaterRecord_isRefused() {
        Lease paused = lease();
        HeldRecord late = paused.record();
        late.read();
        nodes.forEach(node -> node.node().evict("job"));
        write("next");
        IntStream.range(0, 3).forEach(this::restart);

        assertThat(late.write("late", KEEP)).isFalse();
        assertThat(read().isPresent()).isFalse();
    }

    @Test
    void write_withoutARead_throws() {
        HeldRecord record = lease().record();

        assertThatThrownBy(() -> record.write("done", KEEP)).hasMessageContaining("read it first");
    }

    @Test
    void write_outOfRange_throws() {
        HeldRecord record = lease().record();
        record.read();

        assertThatThrownBy(() -> record.write("x".repeat(LockRecord.MAX_LENGTH + 1), KEEP))
                .hasMessageContaining("shorten the text");
        assertThatThrownBy(() -> record.write("x", Duration.ZERO)).hasMessageContaining("keep");
        assertThatThrownBy(() -> record.write("x", HeldRecord.MAX_KEEP.plusMillis(1)))
                .hasMessageContaining("keep");
    }

    @Test
    void newest_newestTextTakesAccountOfLess_isCompleteSinceThen() {
        Instant then = Instant.EPOCH.plusSeconds(7);
        RecordAnswer newest = new RecordAnswer(new LockRecord("b", new FencingToken(4), then), then);
        RecordAnswer older =
                new RecordAnswer(new LockRecord("a", new FencingToken(2), LockRecord.ALWAYS), LockRecord.ALWAYS);

        assertThat(NewestRecord.of(List.of(older, newest, older), NodeSets.of(3)))
                .isEqualTo(latest(newest.stored()));
    }

    /** Each confirmed text takes account of the texts before it, so the last one shows whether any was missed. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    @Tag("evidence")
    void read_nodesFailAtRandom_missesNothingSinceItIsComplete(int count) {
        for (int seed = 0; seed < 150; seed++) {
            connected(count);
            Random random = new Random(seed);
            List<String> confirmed = new ArrayList<>();
            List<Instant> times = new ArrayList<>();
            for (int step = 0; step < 25; step++) {
                disturb(random);
                CompletableFuture<Lease> attempt = client.lock("job", LOCK).acquireAsync();
                time.advance(Duration.ofSeconds(11));
                if (attempt.isCompletedExceptionally()) {
                    continue;
                }
                Lease lease = Completed.value(attempt);
                HeldRecord record = lease.record();
                LockRecord read = record.read();
                requireNothingMissed(read, confirmed, times, "seed " + seed + ", step " + step);
                String entry = "<" + step + ">";
                if (random.nextInt(3) > 0 && record.write(read.text() + entry, KEEP)) {
                    confirmed.add(entry);
                    times.add(now());
                }
                release(lease);
            }
            client.close();
        }
    }

    private void disturb(Random random) {
        UnreliableNode node = nodes.get(random.nextInt(nodes.size()));
        switch (random.nextInt(4)) {
            case 0 -> node.node().restart(random.nextInt(3) == 0);
            case 1 -> node.down();
            case 2 -> node.up();
            default -> time.advance(Duration.ofSeconds(random.nextInt(200)));
        }
    }

    private static void requireNothingMissed(
            LockRecord read, List<String> confirmed, List<Instant> times, String where) {
        for (int i = 0; i < confirmed.size(); i++) {
            if (read.isCompleteSince(times.get(i))) {
                assertThat(read.text()).as(where).contains(confirmed.get(i));
            }
        }
    }
}
