package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.SilentNode;
import io.holdfast.acquire.AcquireResult;
import io.holdfast.acquire.Grant;
import io.holdfast.acquire.LocalWaiters;
import io.holdfast.acquire.NodeQueues;
import io.holdfast.acquire.WaitLimit;
import io.holdfast.hold.Hold;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.quorum.Backoff;
import io.holdfast.quorum.Drift;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.NodePatience;
import io.holdfast.quorum.Voters;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A client that another thread closes in the middle of an operation: it must not close its nodes before the end. */
class ClosingClientTest {

    private static final String LOCK = "a";
    private static final LockParameters PARAMETERS = new LockParameters(
            Duration.ofSeconds(30),
            new Drift(0.01),
            Duration.ofSeconds(1),
            NodePatience.exactly(Duration.ofMillis(50)),
            new Backoff(Duration.ofMillis(10), Duration.ofMillis(100)),
            false,
            LockMode.EXCLUSIVE);
    private static final WaitLimit LIMIT = new WaitLimit(Duration.ofMinutes(1));
    private static final Duration UNTIL_QUEUED = Duration.ofMillis(200);
    private static final LockRequest REQUEST =
            new LockRequest(LOCK, PARAMETERS, LIMIT, Duration.ofHours(1), false, null);

    private static final Claim GRANTED = Claim.acquire(
                    LOCK, new Owner("owner"), Duration.ofSeconds(30), new FencingToken(2))
            .withTicket(new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE));

    /** A step of the client at which another thread closes it. */
    private enum Step {
        NEVER,
        READING_TIME,
        SENDING_CLAIM
    }

    private final VirtualTime time = new VirtualTime();
    private final AtomicInteger owners = new AtomicInteger();
    private final List<InMemoryNode> servers = IntStream.range(0, 3)
            .mapToObj(i -> new InMemoryNode("node" + i, time))
            .toList();
    private final List<Claim> sent = new ArrayList<>();
    private Step closesAt = Step.NEVER;

    private final NodeGroup group =
            group(servers.stream().<LockNode>map(Observed::new).toList(), new ObservedTime());
    private final LockClient client = client(group);
    /** By steps: {@code true} if nothing was under way, so that the nodes would have been closed. */
    private final List<Boolean> settled = new ArrayList<>();

    private NodeGroup group(List<LockNode> nodes, Time clock) {
        return new NodeGroup(
                Voters.of(nodes),
                clock,
                "client-1",
                () -> new Owner("owner-" + owners.incrementAndGet()),
                new Random(7));
    }

    private LockClient client(NodeGroup nodes) {
        CallbackRunner callbacks = new CallbackRunner(null, time);
        ClientLog log = new ClientLog(time);
        LockEvents events = new LockEvents(new EventListeners(callbacks, log), log, time);
        return new LockClient(
                nodes,
                Duration.ofMinutes(1),
                callbacks,
                events,
                new ClientPresence("client-1", "", nodes.nodes(), nodes.time()));
    }

    private LockClient holder() {
        LockClient holder = client(group(List.copyOf(servers), time));
        assertThat(holder.start(REQUEST, Runnable::run))
                .isCompletedWithValueMatching(result -> result.lock().isPresent());
        return holder;
    }

    /** Observes once what a thread would that closes the client at this step. */
    private void at(Step step) {
        if (step == closesAt) {
            closesAt = Step.NEVER;
            settled.add(group.settled().isDone());
        }
    }

    @Test
    void start_beforeItsFirstAttempt_isAwaited() {
        closesAt = Step.READING_TIME;

        client.start(REQUEST, Runnable::run);

        assertThat(settled).containsExactly(false);
        assertThat(group.settled()).isDone();
    }

    /** Otherwise the closing client closes its nodes before the claim, if it is granted, has been released. */
    @Test
    void acquire_whileItsClaimIsSent_isAwaited() {
        closesAt = Step.SENDING_CLAIM;

        new LocalWaiters(group).acquire(LOCK, PARAMETERS, LIMIT, Runnable::run);

        assertThat(settled).containsExactly(false);
        assertThat(group.settled()).isDone();
    }

    @Test
    void start_clientIsClosed_sendsNothing() {
        client.close(() -> {});

        assertThat(client.start(REQUEST, Runnable::run)).isCompletedExceptionally();
        assertThat(sent).isEmpty();
    }

    /** Otherwise a class loader that is closed after the client would be used by threads that still end. */
    @Test
    void close_nodeWithThreads_waitsUntilTheNodeIsFreed() {
        List<String> steps = new ArrayList<>();

        client(group(List.of(new Freed(steps)), time)).close(() -> {});

        assertThat(steps).containsExactly("closed", "waited for");
    }

    @Test
    void close_nodesOfTheUserFail_closesTheOthersAndThrowsTheFirstFailure() {
        List<String> steps = new ArrayList<>();
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second");
        List<LockNode> nodes = List.of(new Failing(first), new Freed(steps), new Failing(second), new Freed(steps));

        assertThatThrownBy(() -> client(group(nodes, time)).close(() -> steps.add("afterwards")))
                .isSameAs(first)
                .hasSuppressedException(second);
        assertThat(steps).containsExactly("closed", "closed", "afterwards");
    }

    @Test
    void start_cancelledWhileItWaits_isAwaitedUntilItsClaimIsWithdrawn() {
        holder();
        CompletableFuture<AcquireResult<Hold>> waiting = client.start(REQUEST, Runnable::run);
        time.advance(UNTIL_QUEUED);
        closesAt = Step.SENDING_CLAIM;

        waiting.cancel(true);

        assertThat(sent.get(sent.size() - 1))
                .isEqualTo(sent.get(sent.size() - 1).withdraw());
        assertThat(settled).containsExactly(false);
        assertThat(group.settled()).isDone();
    }

    @Test
    void wake_grantOfTheMajority_isAwaitedUntilTheAcquisitionHasIt() {
        LockClient holder = holder();
        CompletableFuture<AcquireResult<Grant>> waiting =
                new LocalWaiters(group).acquire(LOCK, PARAMETERS, LIMIT, Runnable::run);
        time.advance(UNTIL_QUEUED);
        closesAt = Step.READING_TIME;

        holder.close(() -> {});
        time.settle();

        assertThat(waiting).isCompletedWithValueMatching(result -> result.lock().isPresent());
        assertThat(settled).containsExactly(false);
    }

    /** Nothing would leave the queue of a node that has not granted the claim, since the delay ends after the close. */
    @Test
    void leaveAfter_clientCloses_leavesAtOnce() {
        new NodeQueues(group).leaveAfter(Duration.ofMillis(50), GRANTED, node -> node == 0);
        assertThat(sent).isEmpty();

        assertThat(group.settled()).isDone();

        assertThat(sent).hasSize(2).allMatch(claim -> claim.equals(claim.withdraw()));
        time.advance(Duration.ofMillis(50));
        assertThat(sent).hasSize(2);
    }

    @Test
    void leaveAfter_clientCloses_awaitsTheReplies() {
        NodeGroup silent = group(List.of(new SilentNode()), time);
        new NodeQueues(silent).leaveAfter(Duration.ofMillis(50), GRANTED, node -> false);

        CompletableFuture<Void> end = silent.settled();

        assertThat(end).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertThat(end).isDone();
    }

    private final class ObservedTime extends ForwardingTime {

        ObservedTime() {
            super(time);
        }

        @Override
        public Moment now() {
            at(Step.READING_TIME);
            return time.now();
        }
    }

    private final class Observed extends ForwardingNode {

        Observed(InMemoryNode server) {
            super(server);
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            sent.add(claim);
            at(Step.SENDING_CLAIM);
            return super.ask(claim);
        }
    }

    private static final class Failing extends ForwardingNode {

        private final RuntimeException failure;

        Failing(RuntimeException failure) {
            super(new InMemoryNode("failing", new VirtualTime()));
            this.failure = failure;
        }

        @Override
        public void close() {
            throw failure;
        }
    }

    /** A node that notes its end. */
    private static final class Freed extends ForwardingNode {

        private final List<String> steps;

        Freed(List<String> steps) {
            super(new InMemoryNode("freed", new VirtualTime()));
            this.steps = steps;
        }

        @Override
        public void close() {
            steps.add("closed");
        }

        @Override
        public CompletionStage<?> freed() {
            steps.add("waited for");
            return CompletableFuture.completedFuture(null);
        }
    }
}
