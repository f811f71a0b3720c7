package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.client.ClientLog;
import io.holdfast.client.EventListeners;
import io.holdfast.event.LockEvent;
import io.holdfast.event.LockEvent.Ended;
import io.holdfast.event.LockEvent.Granted;
import io.holdfast.event.LockEvent.Refused;
import io.holdfast.event.LockEvent.Renewed;
import io.holdfast.event.LockEvent.Requested;
import io.holdfast.event.Registration;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of event, its contents and its order, in virtual time. */
class EventTest {

    private static final LockOptions ONCE =
            LockOptions.builder().waitLimit(Duration.ZERO).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final List<LockEvent> events = new ArrayList<>();
    private final List<LockEvent> requests = new ArrayList<>();
    private final Registration registration =
            holdfast.onEvent(event -> (event instanceof Requested ? requests : events).add(event));

    @Test
    void granted_freeLock_saysModeAndToken() {
        Lease lease = acquired("a");

        assertThat(requests).containsExactly(new Requested("a", LockMode.EXCLUSIVE));
        assertThat(events).containsExactly(granted(lease.fencingToken(), lease.remaining(), Duration.ZERO, false));
    }

    @Test
    void granted_handedOver_followsTheEndOfTheLeaseBefore() {
        Lease first = acquired("a");
        CompletableFuture<Lease> second = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(1));
        events.clear();

        first.release();
        time.settle();

        Lease next = Completed.value(second);
        assertThat(requests).hasSize(2);
        assertThat(events)
                .containsExactly(
                        new Ended("a", first.fencingToken(), Ended.How.RELEASED, null, Duration.ofMillis(1)),
                        granted(next.fencingToken(), next.remaining(), Duration.ofMillis(1), true));
    }

    @Test
    void refused_lockIsHeld_saysHeldAndMode() {
        acquired("a");
        events.clear();

        CompletableFuture<Lease> refused = holdfast.lock("a", ONCE).acquireAsync();
        time.advance(Duration.ofSeconds(1));

        assertThat(refused).isCompletedExceptionally();
        assertThat(events).singleElement().isInstanceOfSatisfying(Refused.class, event -> {
            assertThat(event.resource()).isEqualTo("a");
            assertThat(event.mode()).isEqualTo(LockMode.EXCLUSIVE);
            assertThat(event.reason()).isEqualTo(Refused.Reason.HELD);
            assertThat(event.votes()).contains("node-a: held by another");
        });
    }

    @Test
    void refused_threeHolders_saysTied() {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i)
                    .ask(Claim.acquire("a", new Owner(i + "-other"), Duration.ofMinutes(1), new FencingToken(i + 1)));
        }

        holdfast.lock("a", ONCE).shared().acquireAsync();
        time.advance(Duration.ofSeconds(10));

        assertThat(refusals()).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(Refused.Reason.TIED);
            assertThat(event.mode()).isEqualTo(LockMode.SHARED);
        });
    }

    @Test
    void refused_requestCancelled_saysAbandonedOnce() {
        acquired("a");
        events.clear();
        CompletableFuture<Lease> waiter = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofSeconds(2));

        waiter.cancel(true);
        time.advance(Duration.ofMinutes(1));

        assertThat(refusals())
                .containsExactly(new Refused(
                        "a",
                        LockMode.EXCLUSIVE,
                        Refused.Reason.ABANDONED,
                        Duration.ofSeconds(2),
                        "",
                        Optional.empty()));
    }

    /** The offer of a hand-over may have reached the waiter before, but then the lock is granted and released. */
    @Test
    void refused_cancelledDuringAHandOver_hasOneResult() {
        Lease first = acquired("a");
        CompletableFuture<Lease> waiter = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(1));
        requests.clear();
        events.clear();

        first.releaseAsync();
        waiter.cancel(true);
        time.settle();

        assertThat(only(Granted.class).size() + refusals().size()).isEqualTo(1);
        assertThat(only(Ended.class)).hasSize(1 + only(Granted.class).size());
    }

    @Test
    void refused_clientClosedWhileWaiting_saysAbandoned() {
        acquired("a");
        holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(1));

        holdfast.close();
        time.settle();

        assertThat(refusals()).extracting(Refused::reason).containsExactly(Refused.Reason.ABANDONED);
    }

    @Test
    void refused_clientClosedDuringAHandOver_hasOneResult() {
        Lease first = acquired("a");
        holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(1));
        requests.clear();
        events.clear();

        first.releaseAsync();
        holdfast.close();
        time.settle();

        assertThat(only(Granted.class).size() + refusals().size()).isEqualTo(1);
    }

    @Test
    void refused_nodesDown_saysUnreachable() {
        nodes.forEach(UnreliableNode::down);

        holdfast.lock("a", ONCE).acquireAsync();
        time.settle();

        assertThat(refusals()).extracting(Refused::reason).containsExactly(Refused.Reason.UNREACHABLE);
    }

    @Test
    void renewed_renewalsConfirmedAndNot_areReported() {
        Lease lease = acquired("a");
        events.clear();

        time.advance(Duration.ofSeconds(11));
        nodes.forEach(UnreliableNode::down);
        time.advance(Duration.ofSeconds(10));

        List<Renewed> renewed = only(Renewed.class);
        assertThat(renewed.get(0).confirmed()).isTrue();
        assertThat(renewed.get(0).fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(renewed.get(0).remaining()).isGreaterThan(Duration.ofSeconds(29));
        assertThat(renewed.get(1).confirmed()).isFalse();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void ended_lost_saysWhy() {
        Lease lease = acquired("a");
        events.clear();
        lease.limit(Duration.ZERO);
        time.settle();

        assertThat(events).singleElement().isInstanceOfSatisfying(Ended.class, event -> {
            assertThat(event.how()).isEqualTo(Ended.How.LOST);
            assertThat(Objects.requireNonNull(event.loss()).reason()).isEqualTo(LossReason.HOLD_LIMIT);
        });
    }

    @Test
    void ended_detachedAndAttached_areReportedInThatOrder() throws Exception {
        Lease lease = acquired("a");
        time.advance(Duration.ofSeconds(3));
        events.clear();

        Lease attached = holdfast.attach(lease.detach(), LockOptions.DEFAULT);
        time.settle();

        assertThat(events)
                .containsExactly(
                        new Ended("a", lease.fencingToken(), Ended.How.DETACHED, null, Duration.ofSeconds(3)),
                        granted(lease.fencingToken(), attached.remaining(), Duration.ZERO, true));
        assertThat(requests).hasSize(2);
    }

    @Test
    void ended_clientClosed_saysClosed() {
        acquired("a");
        events.clear();
        nodes.forEach(UnreliableNode::down);

        holdfast.close();
        time.settle();

        assertThat(only(Ended.class)).extracting(Ended::how).containsExactly(Ended.How.CLOSED);
    }

    @Test
    void listener_throws_othersAndTheLockAreUnharmed() {
        holdfast.onEvent(event -> {
            throw new IllegalStateException("not today");
        });

        Lease lease = acquired("a");
        lease.release();
        time.settle();

        assertThat(events).hasSize(2);
    }

    @Test
    void listener_registrationClosed_receivesNothing() {
        registration.close();

        acquired("a");

        assertThat(events).isEmpty();
    }

    /** Its events are not kept without a bound. */
    @Test
    void listener_tooSlow_losesEventsUntilItHasCaughtUp() {
        List<Runnable> tasks = new ArrayList<>();
        List<Runnable> logged = new ArrayList<>();
        EventListeners slow = new EventListeners(tasks::add, new ClientLog(new ForwardingTime(time) {
            @Override
            public void execute(Runnable task) {
                logged.add(task);
            }
        }));
        List<LockEvent> received = new ArrayList<>();
        slow.add(received::add);

        for (int i = 0; i < EventListeners.MAX_PENDING + 5; i++) {
            slow.report(new Requested("a", LockMode.EXCLUSIVE));
        }
        // A log handler of the user may block, so another thread calls it.
        assertThat(logged).hasSize(1);
        tasks.get(0).run();
        slow.report(new Requested("b", LockMode.EXCLUSIVE));
        tasks.get(1).run();

        assertThat(tasks).hasSize(2);
        assertThat(received)
                .hasSize(EventListeners.MAX_PENDING + 1)
                .last()
                .isEqualTo(new Requested("b", LockMode.EXCLUSIVE));
    }

    @Test
    void onEvent_clientIsClosed_callsNothing() {
        List<LockEvent> seen = new ArrayList<>();
        Holdfast client = Holdfast.forTesting(nodes, time, new Random(7));
        client.close();

        Registration registration = client.onEvent(seen::add);
        time.advance(Duration.ofSeconds(10));
        registration.close();

        assertThat(seen).isEmpty();
    }

    @Test
    void callbackExecutor_isSet_runsListenersAndCallbacks() {
        List<Runnable> tasks = new ArrayList<>();
        HoldfastOptions options = HoldfastOptions.builder()
                .restarts(RestartPolicy.DURABLE)
                .callbackExecutor(tasks::add)
                .build();
        Holdfast client = Holdfast.over(nodes, options, time, new Random(7));

        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        time.settle();
        assertThat(lease).isNotDone();
        List.copyOf(tasks).forEach(Runnable::run);

        assertThat(lease).isCompleted();
    }

    /** A callback that blocks the thread of a connection would keep the client from all replies. */
    @Test
    void callbackExecutor_requestsFail_completesTheirFutures() {
        List<Runnable> tasks = new ArrayList<>();
        Holdfast client = Holdfast.over(
                nodes,
                HoldfastOptions.builder()
                        .restarts(RestartPolicy.DURABLE)
                        .callbackExecutor(tasks::add)
                        .build(),
                time,
                new Random(7));
        List<CompletableFuture<Lease>> granted = Stream.of("a", "b", "c")
                .map(name -> client.lock(name).acquireAsync())
                .toList();
        time.settle();
        runAll(tasks);
        CompletableFuture<Lease> behind = client.lock("c").acquireAsync();
        nodes.forEach(node -> node.node().admin().evict("a", ""));
        nodes.forEach(node -> node.node().admin().evict("b", ""));

        nodes.forEach(node -> node.latency(Duration.ofMillis(1)));
        CompletableFuture<Boolean> extended = Completed.value(granted.get(0)).extendAsync(Duration.ofSeconds(20));
        CompletableFuture<Boolean> downgraded = Completed.value(granted.get(1)).downgradeAsync();
        time.advance(Duration.ofMillis(10));
        client.close();

        assertThat(List.of(extended, downgraded, behind)).noneMatch(CompletableFuture::isDone);
        runAll(tasks);
        assertThat(List.of(extended, downgraded, behind)).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    private static void runAll(List<Runnable> tasks) {
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
    }

    /** A callback on the thread that reports an event would run under locks of the client. */
    @Test
    void callbackExecutor_runsTasksOnTheCallingThread_isRejected() {
        HoldfastOptionsBuilder options = HoldfastOptions.builder();

        assertThatThrownBy(() -> options.callbackExecutor(Runnable::run))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("runs tasks on the calling thread", "Executors.newCachedThreadPool()");
    }

    @Test
    void callbackExecutor_dropsTasks_isRejected() {
        HoldfastOptionsBuilder options = HoldfastOptions.builder();
        Stream.of(new ThreadPoolExecutor.DiscardPolicy(), new ThreadPoolExecutor.DiscardOldestPolicy())
                .map(policy -> new ThreadPoolExecutor(
                        1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Thread::new, policy))
                .forEach(dropping -> assertThatThrownBy(() -> options.callbackExecutor(dropping))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("drops tasks", "AbortPolicy"));
    }

    static Stream<Executor> rejectingExecutors() {
        return Stream.of(
                task -> {
                    throw new RejectedExecutionException("shut down");
                },
                task -> {
                    throw new AssertionError("by the test");
                });
    }

    @ParameterizedTest
    @MethodSource("rejectingExecutors")
    void callbackExecutor_rejects_callbackRunsOnAThreadOfTheClient(Executor rejecting) {
        HoldfastOptions options = HoldfastOptions.builder()
                .restarts(RestartPolicy.DURABLE)
                .callbackExecutor(rejecting)
                .build();
        Holdfast client = Holdfast.over(nodes, options, time, new Random(7));

        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        time.settle();

        assertThat(lease).isCompleted();
    }

    private Lease acquired(String name) {
        CompletableFuture<Lease> lease = holdfast.lock(name).acquireAsync();
        time.settle();
        return Completed.value(lease);
    }

    private static Granted granted(FencingToken token, Duration remaining, Duration waited, boolean handedOver) {
        return new Granted("a", LockMode.EXCLUSIVE, token, remaining, waited, handedOver);
    }

    private List<Refused> refusals() {
        return only(Refused.class);
    }

    private <E extends LockEvent> List<E> only(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
