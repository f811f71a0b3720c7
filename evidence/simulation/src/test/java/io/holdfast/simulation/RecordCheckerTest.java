package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HeldRecord;
import io.holdfast.Lease;
import io.holdfast.record.LockRecord;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that the checker of records reports a text that is missed, and nothing else. */
class RecordCheckerTest {

    private final Stage stage = Stage.of(3);
    private final SimulatedClient client = stage.client();
    private final World world = stage.world();

    private ObservedLease hold() {
        return ObservedLease.granted(client, stage.hold(client), client.time().now(), 0, Stage.ONCE);
    }

    /** Writes a record on two nodes of three, as a holder does whose third node is down. */
    private void writeRecord() {
        ObservedLease writer = hold();
        Lease lease = writer.lease();
        LockRecord record = new LockRecord(lease.fencingToken().toString(), lease.fencingToken(), LockRecord.ALWAYS);
        for (int i = 0; i < 2; i++) {
            stage.node(i).memory().records().write(Stage.LOCK, lease.owner(), record, Duration.ofHours(1));
        }
        world.report(to -> to.recordWritten(writer));
        stage.release(lease);
    }

    private void read(LockRecord read) {
        ObservedLease reader = hold();
        world.report(to -> to.readingRecord(reader));
        world.report(to -> to.recordRead(reader, read));
    }

    /**
     * The node that had the record is down, one has forgotten it, and one was down when it was written: the reader
     * learns that it may be missing. The patch {@code record-missed-unnoticed} breaks that, and the checker reports it.
     */
    @Test
    void read_nodeThatHasTheTextIsDown_readerLearnsThatItMayBeMissing() {
        stage.node(2).crash();
        ObservedLease writer = hold();
        HeldRecord record = writer.lease().record();
        record.read();
        boolean written = record.write("text", Duration.ofHours(1));
        world.report(to -> to.recordWritten(writer));
        stage.release(writer.lease());
        stage.node(2).start(true);
        stage.node(0).crash();
        stage.node(0).start(false);
        stage.pass(Stage.LEASE.plusSeconds(8));
        stage.node(1).crash();

        ObservedLease reader = hold();
        world.report(to -> to.readingRecord(reader));
        LockRecord read = reader.lease().record().read();
        world.report(to -> to.recordRead(reader, read));

        assertThat(stage.broken()).isEmpty();
        assertThat(written).isTrue();
        assertThat(read.isPresent()).isFalse();
        assertThat(read.isCompleteSince(LockRecord.ALWAYS)).isFalse();
    }

    /**
     * All nodes answer, but those that had the text have forgotten it. The patch {@code record-complete-if-all-answer}
     * breaks that, and the checker reports it.
     */
    @Test
    void read_nodesThatHadTheTextHaveForgotten_readerLearnsThatItMayBeMissing() {
        stage.node(2).crash();
        ObservedLease writer = hold();
        HeldRecord record = writer.lease().record();
        record.read();
        record.write("text", Duration.ofHours(1));
        world.report(to -> to.recordWritten(writer));
        stage.release(writer.lease());
        stage.node(2).start(true);
        for (int i = 0; i < 2; i++) {
            stage.node(i).crash();
            stage.node(i).start(false);
            stage.pass(Stage.LEASE.plusSeconds(8));
        }

        ObservedLease reader = hold();
        world.report(to -> to.readingRecord(reader));
        LockRecord read = reader.lease().record().read();
        world.report(to -> to.recordRead(reader, read));

        assertThat(stage.broken()).isEmpty();
        assertThat(read.isPresent()).isFalse();
        assertThat(read.isCompleteSince(LockRecord.ALWAYS)).isFalse();
    }

    @Test
    void read_textIsMissing_isReported() {
        writeRecord();

        read(LockRecord.none(LockRecord.ALWAYS));

        assertThat(stage.broken()).containsExactly(Property.RECORD);
    }

    @Test
    void read_textMayBeMissing_isNotReported() {
        writeRecord();

        read(LockRecord.none(LockRecord.NEVER));

        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void read_laterText_isNotReported() {
        writeRecord();
        ObservedLease reader = hold();
        world.report(to -> to.readingRecord(reader));

        LockRecord later = new LockRecord("later", reader.lease().fencingToken(), LockRecord.ALWAYS);
        world.report(to -> to.recordRead(reader, later));

        assertThat(stage.broken()).isEmpty();
    }
}
