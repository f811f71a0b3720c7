package io.holdfast.jobs;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Machines with clocks of their own, and three in-memory nodes, in virtual time. A thread that waits for the library
 * lets the time pass.
 */
final class Machines implements Time {

    static final Duration MAX_LEASE = Duration.ofSeconds(60);
    private static final Duration QUARANTINE = Duration.ofSeconds(66);
    private static final Duration STEP = Duration.ofMillis(10);

    private final VirtualTime virtual = new VirtualTime();
    private final List<Node> nodes = Stream.of("a", "b", "c").map(Node::new).toList();
    private final Holdfast holdfast =
            Holdfast.over(nodes, HoldfastOptions.builder().maxLease(MAX_LEASE).build(), this, new Random(7));

    private boolean isClosed;
    private boolean isBusy;

    /** A node that a test can disconnect. */
    final class Node extends ForwardingNode {

        private final InMemoryNode memory;
        private boolean isDown;
        private boolean isSilent;
        private Runnable onRead = () -> {};

        Node(String name) {
            this(InMemoryNode.guarded(name, virtual));
        }

        private Node(InMemoryNode memory) {
            super(memory);
            this.memory = memory;
            memory.probe(QuarantineProbe.admission("test", FencingToken.NONE, new QuorumConfig(3, MAX_LEASE)));
        }

        void down() {
            isDown = true;
        }

        /** Lets questions for records wait for ever. */
        void silent() {
            isSilent = true;
        }

        void up() {
            isDown = false;
        }

        /** Runs this as soon as the record of a lock has been read here, once. */
        void onRead(Runnable task) {
            onRead = task;
        }

        private RecordAnswer noted(RecordAnswer answer) {
            Runnable task = onRead;
            onRead = () -> {};
            task.run();
            return answer;
        }

        /** Restarts the node without its memory, and waits until it votes again. */
        void restart() {
            memory.restart(false);
            pass(QUARANTINE.plusSeconds(30));
        }

        /** Stores this text in place of the record of a job. */
        void store(String job, String text) {
            LockRecord now =
                    memory.records().read(job).toCompletableFuture().join().stored();
            LockRecord next = new LockRecord(text, now.fence(), now.completeSince(), now.revision() + 1);
            memory.records().write(job, new Owner("someone"), next, Duration.ofDays(1));
        }

        /** Returns the text of the record of a job. */
        String text(String job) {
            return memory.records()
                    .read(job)
                    .toCompletableFuture()
                    .join()
                    .stored()
                    .text();
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return isDown
                    ? CompletableFuture.completedFuture(new Reply.Failed(false, "not connected", false))
                    : super.ask(claim);
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return isDown
                    ? CompletableFuture.completedFuture(new NodeStanding.Unknown("not connected", false))
                    : super.probe(probe);
        }

        @Override
        public NodeAdmin admin() {
            return isDown ? new NodeAdmin() {} : isSilent ? new SilentAdmin(super.admin()) : super.admin();
        }

        @Override
        public RecordStore records() {
            return isSilent
                    ? new SilentRecords()
                    : isDown ? RecordStore.NONE : new NotedRecords(super.records(), this::noted);
        }
    }

    /** Lists the jobs, and never answers a question for a lock. */
    private record SilentAdmin(NodeAdmin memory) implements NodeAdmin {

        @Override
        public CompletionStage<List<String>> recorded() {
            return memory.recorded();
        }

        @Override
        public CompletionStage<NodeLockStatus> inspect(String resource) {
            return new CompletableFuture<>();
        }
    }

    /** Says when a record has been read. */
    private record NotedRecords(RecordStore memory, UnaryOperator<RecordAnswer> read) implements RecordStore {

        @Override
        public CompletionStage<RecordAnswer> read(String resource) {
            return memory.read(resource).thenApply(read);
        }

        @Override
        public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
            return memory.write(resource, owner, record, keep);
        }
    }

    /** Never answers. */
    private static final class SilentRecords implements RecordStore {

        @Override
        public CompletionStage<RecordAnswer> read(String resource) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
            return new CompletableFuture<>();
        }
    }

    Node node(int index) {
        return nodes.get(index);
    }

    /** Returns the client that all machines share; each acquisition has an owner of its own. */
    Holdfast holdfast() {
        return holdfast;
    }

    /** Closes the client, after which its timers never fire, and its tasks run at once. */
    void closeWithoutTimers() {
        isClosed = true;
        holdfast.close();
    }

    /** Keeps all threads of the client busy, so that further tasks do not run. */
    void keepBusy() {
        isBusy = true;
    }

    /** Lets this time pass. */
    void pass(Duration duration) {
        virtual.advance(duration);
    }

    /** Lets time pass until a clock shows this moment; returns at once if that is over. */
    void passUntil(InstantSource clock, Instant moment) {
        Duration left = Duration.between(clock.instant(), moment);
        if (!left.isNegative()) {
            pass(left);
        }
    }

    /** Returns a clock that differs from that of the nodes by this time. */
    InstantSource clock(Duration ahead) {
        return () -> Instant.EPOCH.plus(now().wallMicros(), ChronoUnit.MICROS).plus(ahead);
    }

    /** Returns a clock that shows this moment now. */
    InstantSource clockAt(Instant moment) {
        return clock(Duration.between(clock(Duration.ZERO).instant(), moment));
    }

    @Override
    public Moment now() {
        return virtual.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return isClosed ? () -> {} : virtual.schedule(delay, task);
    }

    @Override
    public void execute(Runnable task) {
        if (isClosed) {
            task.run();
        } else if (!isBusy) {
            virtual.execute(task);
        }
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration limit) {
        Moment begun = now();
        while (!future.isDone()) {
            if (now().surelySince(begun).compareTo(limit) >= 0) {
                return false;
            }
            pass(STEP);
        }
        return true;
    }
}
