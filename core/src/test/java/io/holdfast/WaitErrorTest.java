package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.Owner;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLock;
import io.holdfast.locks.OwnedLock;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.locks.ReentrantDistributedReadWriteLock;
import io.holdfast.node.Claim;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A wait that an error ends, such as a stack without room: what was requested is given back. */
class WaitErrorTest {

    private static final List<String> NAMES = List.of("a", "b", "pool/1", "pool/2");
    private static final Map<String, Call> REQUESTS = new TreeMap<>();
    private static final Map<String, Call> USES = new TreeMap<>();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final ErrorTime waits = new ErrorTime();
    private final Holdfast holdfast = Holdfast.forTesting(nodes, waits, new Random(7));
    private final LockOptions options =
            LockOptions.builder().lease(Duration.ofSeconds(3)).build();

    private interface Call {
        void on(WaitErrorTest test) throws Exception;
    }

    static {
        REQUESTS.put("acquire", test -> test.lock().acquire());
        REQUESTS.put("acquire shared", test -> test.lock().shared().acquire());
        REQUESTS.put("tryAcquire", test -> test.lock().tryAcquire());
        REQUESTS.put("call", test -> test.lock().call(lease -> lease));
        REQUESTS.put(
                "semaphore, acquire",
                test -> DistributedSemaphore.of(test.holdfast, "pool", 2).acquire());
        REQUESTS.put(
                "semaphore, tryAcquire",
                test -> DistributedSemaphore.of(test.holdfast, "pool", 2).tryAcquire());
        REQUESTS.put(
                "all, acquire",
                test -> MultiLock.of(test.holdfast, List.of("a", "b")).acquire());
        REQUESTS.put(
                "all, tryAcquire",
                test -> MultiLock.of(test.holdfast, List.of("a", "b")).tryAcquire());
        REQUESTS.put(
                "owned, acquire", test -> OwnedLock.of(test.lock()).by("me").acquire());
        REQUESTS.put(
                "owned, tryAcquire", test -> OwnedLock.of(test.lock()).by("me").tryAcquire());
        REQUESTS.put(
                "re-entrant, lock",
                test -> ReentrantDistributedLock.of(test.lock()).lock());
        REQUESTS.put(
                "re-entrant, lockInterruptibly",
                test -> ReentrantDistributedLock.of(test.lock()).lockInterruptibly());
        REQUESTS.put(
                "re-entrant, tryLock",
                test -> ReentrantDistributedLock.of(test.lock()).tryLock());
        REQUESTS.put(
                "re-entrant, tryLock for a time",
                test -> ReentrantDistributedLock.of(test.lock()).tryLock(1, TimeUnit.SECONDS));
        REQUESTS.put(
                "read-write, read",
                test -> ReentrantDistributedReadWriteLock.of(test.holdfast.lock("a"))
                        .readLock()
                        .lock());
        REQUESTS.put(
                "read-write, write",
                test -> ReentrantDistributedReadWriteLock.of(test.holdfast.lock("a"))
                        .writeLock()
                        .lock());

        USES.put("extend", test -> test.held().extend(Duration.ofSeconds(5)));
        USES.put("ensureValidFor", test -> test.held().ensureValidFor(Duration.ofSeconds(4)));
        USES.put("downgrade", test -> test.held().downgrade());
        USES.put("read the record", test -> test.held().record().read());
        USES.put("status", test -> test.holdfast.admin().status("a"));
        USES.put("list", test -> test.holdfast.admin().list());
        USES.put("standings", test -> test.holdfast.admin().standings());
        USES.put("examine", test -> test.holdfast.admin().examine());
    }

    private @Nullable Lease lease;

    /** Lets the virtual time pass while a thread waits, and ends the next wait with an error if the test says so. */
    private final class ErrorTime extends ForwardingTime {

        private boolean fails;
        private boolean late;

        ErrorTime() {
            super(time);
        }

        @Override
        public boolean await(CompletableFuture<?> future, Duration limit) {
            boolean failsNow = fails;
            fails = false;
            if (failsNow && !late) {
                throw new StackOverflowError("in a test");
            }
            while (!future.isDone()) {
                time.advance(Duration.ofMillis(1));
            }
            if (failsNow) {
                throw new StackOverflowError("in a test");
            }
            return true;
        }
    }

    private DistributedLock lock() {
        return holdfast.lock("a", options);
    }

    private Lease held() {
        return Objects.requireNonNull(lease);
    }

    private void failNextWait(boolean late) {
        nodes.forEach(node -> node.latency(Duration.ofMillis(5)));
        waits.fails = true;
        waits.late = late;
    }

    private void assertNothingIsHeld() {
        time.advance(Duration.ofSeconds(2));
        nodes.forEach(
                node -> NAMES.forEach(name -> assertThat(node.ownerOf(name)).isNull()));
    }

    static Stream<String> requests() {
        return REQUESTS.keySet().stream();
    }

    private static Call request(String name) {
        return Objects.requireNonNull(REQUESTS.get(name));
    }

    static Stream<String> uses() {
        return USES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void request_errorEndsTheWait_leavesNothing(String name) {
        failNextWait(false);

        assertThatThrownBy(() -> request(name).on(this)).isInstanceOf(StackOverflowError.class);

        assertNothingIsHeld();
        assertAnotherIsGranted(name);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void request_errorJustAfterTheGrant_leavesNothing(String name) {
        failNextWait(true);

        assertThatThrownBy(() -> request(name).on(this)).isInstanceOf(StackOverflowError.class);

        assertNothingIsHeld();
        assertAnotherIsGranted(name);
    }

    private void assertAnotherIsGranted(String name) {
        assertThat(name).satisfies(same -> request(same).on(this));
    }

    @Test
    void request_errorWhileAnotherThreadHandsTheLockOver_nextWaiterGetsIt() throws InterruptedException {
        Lease first = lock().acquire();
        CompletableFuture<Lease> next = new CompletableFuture<>();
        failNextWait(false);
        assertThatThrownBy(lock()::acquire).isInstanceOf(StackOverflowError.class);
        lock().acquireAsync().thenAccept(next::complete);

        first.releaseAsync();
        time.advance(Duration.ofSeconds(1));

        assertThat(next).isCompleted();
    }

    @ParameterizedTest
    @MethodSource("uses")
    void use_errorEndsTheWait_leaseIsHeldAndReleased(String name) throws InterruptedException {
        lease = lock().acquire();
        failNextWait(false);

        assertThatThrownBy(() -> Objects.requireNonNull(USES.get(name)).on(this))
                .isInstanceOf(StackOverflowError.class);

        time.advance(Duration.ofSeconds(10));
        assertThat(held().isValid()).isTrue();
        held().release();
        assertNothingIsHeld();
    }

    @Test
    void release_errorEndsTheWait_lockIsFree() throws InterruptedException {
        lease = lock().acquire();
        failNextWait(false);

        assertThatThrownBy(held()::release).isInstanceOf(StackOverflowError.class);

        assertNothingIsHeld();
    }

    @Test
    void close_errorEndsTheWait_throwsNothingAndLockIsFree() throws InterruptedException {
        lease = lock().acquire();
        failNextWait(false);

        held().close();

        assertNothingIsHeld();
    }

    /** A thread without room on its stack cannot send the release; the timer of the lease does. */
    @Test
    void close_errorBeforeTheRelease_lockIsReleasedByTheTimer() throws InterruptedException {
        lease = lock().acquire();

        assertThat(InStack.withRoom(20, held()::close)).isNull();
        assertThat(nodes.get(0).received(Claim.Action.RELEASE)).isZero();

        assertNothingIsHeld();

        assertThat(nodes.get(0).received(Claim.Action.RELEASE)).isOne();
    }

    @Test
    void acquire_noRoomOnTheStack_requestsNothing() {
        DistributedLock lock = lock();

        assertThat(InStack.withRoom(20, lock::acquireAsync)).isInstanceOf(StackOverflowError.class);

        assertThat(nodes.get(0).received()).isEmpty();
    }

    @Test
    void attach_errorEndsTheWait_lockIsHeldAsBefore() throws InterruptedException {
        Lease first = lock().acquire();
        Owner owner = first.owner();
        DetachedLease detached = first.detach();
        failNextWait(false);

        assertThatThrownBy(() -> holdfast.attach(detached, options)).isInstanceOf(StackOverflowError.class);

        assertThat(nodes.get(0).ownerOf("a")).isEqualTo(owner);
        holdfast.attach(detached, options).close();
        assertNothingIsHeld();
    }

    @Test
    void closeClient_errorEndsTheWait_nodesAreClosed() throws InterruptedException {
        lease = lock().acquire();
        failNextWait(false);

        assertThatThrownBy(holdfast::close).isInstanceOf(StackOverflowError.class);

        assertThat(nodes).allMatch(UnreliableNode::isClosed);
    }
}
