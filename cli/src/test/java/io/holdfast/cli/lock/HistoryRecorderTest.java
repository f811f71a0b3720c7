package io.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.cli.output.Terminal;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRule;
import io.holdfast.jobs.JobRun;
import io.holdfast.lease.Owner;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import io.holdfast.time.VirtualTime;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class HistoryRecorderTest {

    private final VirtualTime time = new VirtualTime();
    private final InMemoryNode memory = new InMemoryNode("a", time);
    private final Holdfast holdfast = Holdfast.forTesting(List.of(new SlowNode()), time, new Random(1));

    /** A node that answers too late when it is asked for the first time to store a text. */
    private final class SlowNode extends ForwardingNode {

        private final Set<String> texts = ConcurrentHashMap.newKeySet();

        SlowNode() {
            super(memory);
        }

        @Override
        public RecordStore records() {
            return new RecordStore() {
                @Override
                public CompletionStage<RecordAnswer> read(String resource) {
                    return memory.records().read(resource);
                }

                @Override
                public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
                    return texts.add(record.text())
                            ? CompletableFuture.failedFuture(new IllegalStateException("too late"))
                            : memory.records().write(resource, owner, record, keep);
                }
            };
        }
    }

    @Test
    void ended_serverIsSlowForAMoment_recordsTheRun() {
        CompletableFuture<Lease> acquired = holdfast.lock("report").acquireAsync();
        time.settle();
        Terminal terminal =
                new Terminal(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        HistoryRecorder recorder = new HistoryRecorder(
                new JointLease(List.of(acquired.join())), JobRule.always(InstantSource.system()), 69, terminal);

        recorder.started("backup", 4066, Duration.ZERO);
        recorder.ended(3);

        LockRecord record =
                memory.records().read("report").toCompletableFuture().join().stored();
        assertThat(JobHistory.of(record).orElseThrow().runs())
                .singleElement()
                .extracting(JobRun::outcome)
                .satisfies(
                        outcome -> assertThat(outcome.orElseThrow().exitCode()).hasValue(3));
    }
}
