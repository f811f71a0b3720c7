package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.LockNode;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A contract for the records of a {@link LockNode}: a test class for an implementation extends this class. */
public abstract class RecordContract {

    private static final Duration KEEP = Duration.ofMinutes(10);
    private static final Duration BRIEF = Duration.ofMillis(20);
    private static final Instant SINCE = Instant.EPOCH.plusNanos(1_234_567_000);

    final TestedNode on;
    private final String resource = "record:" + UUID.randomUUID();
    private final Owner owner = Owner.fresh(new SecureRandom());

    RecordContract(TestedNode on) {
        this.on = on;
    }

    @Test
    void read_neverWritten_isNoneOnANodeThatRemembersAll() {
        assertThat(read()).isEqualTo(new RecordAnswer(LockRecord.none(LockRecord.ALWAYS), LockRecord.ALWAYS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "done", " a b\tc\nd ", "1 2 3 4", "Grüße \u20ac \ud83d\ude80"})
    void read_written_isThatText(String text) {
        LockRecord record = new LockRecord(text, new FencingToken(4), SINCE);

        assertThat(write(record)).isTrue();

        assertThat(read()).isEqualTo(new RecordAnswer(record, LockRecord.ALWAYS));
    }

    @Test
    void read_longestText_isThatText() {
        LockRecord record = new LockRecord("x".repeat(LockRecord.MAX_LENGTH), FencingToken.GREATEST, LockRecord.ALWAYS);

        assertThat(write(record)).isTrue();

        assertThat(read().stored()).isEqualTo(record);
    }

    @Test
    void write_sameOrGreaterFence_replacesTheText() {
        assertThat(write(record("first", 4))).isTrue();
        assertThat(write(revision(2))).isTrue();
        assertThat(read().stored()).isEqualTo(revision(2));

        assertThat(write(record("third", 12))).isTrue();
        assertThat(read().stored().text()).isEqualTo("third");
    }

    @Test
    void write_smallerFence_isRefused() {
        write(record("first", 12));

        assertThat(write(record("late", 4))).isFalse();

        assertThat(read().stored()).isEqualTo(record("first", 12));
    }

    /** A connection that was replaced may deliver an earlier text after a later one of the same lease. */
    @Test
    void write_smallerRevision_isRefused() {
        write(revision(12));

        assertThat(write(revision(9))).isFalse();

        assertThat(read().stored()).isEqualTo(revision(12));
    }

    @Test
    void read_afterTheTimeToLive_isNone() {
        result(on.node().records().write(resource, owner, record("brief", 4), BRIEF));

        on.letTimePass(BRIEF);

        assertThat(read().stored().isPresent()).isFalse();
    }

    @Test
    void recorded_whileTheRecordLasts_hasTheLock() {
        assertThat(result(on.node().admin().recorded())).doesNotContain(resource);

        write(record("first", 4));

        assertThat(result(on.node().admin().recorded())).containsOnlyOnce(resource);
    }

    /** Otherwise the list would grow for ever. */
    @Test
    void recorded_theRecordHasEnded_hasTheLockUntilTheNextWrite() {
        result(on.node().records().write(resource, owner, record("brief", 4), BRIEF));
        on.letTimePass(BRIEF);

        result(on.node().records().write(resource + "2", owner, record("next", 4), KEEP));

        assertThat(result(on.node().admin().recorded()))
                .doesNotContain(resource)
                .contains(resource + "2");
    }

    private static LockRecord revision(int number) {
        return new LockRecord("revision " + number, new FencingToken(4), LockRecord.ALWAYS, number);
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
