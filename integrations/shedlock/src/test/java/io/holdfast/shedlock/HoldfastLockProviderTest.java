package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.LeaseState;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Promises beyond ShedLock's contract, in memory. */
class HoldfastLockProviderTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();

    private final SystemTime time = new SystemTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast holdfast = Holdfast.over(List.of(node), OPTIONS, time, new Random(1));
    private final HoldfastLockProvider provider = new HoldfastLockProvider(holdfast);

    @AfterEach
    void close() {
        holdfast.close();
        time.close();
    }

    private static LockConfiguration job(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), "report", atMost, atLeast);
    }

    private Optional<SimpleLock> lock(Duration atMost, Duration atLeast) {
        return provider.lock(job(atMost, atLeast));
    }

    /** A crash frees the lock after a lease. */
    @Test
    void lock_lockAtMostForAnHour_isHeldForAShortLease() {
        lock(HOUR, Duration.ZERO);

        assertThat(node.timeLeft("shedlock:report")).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    }

    @Test
    @SuppressWarnings("NullAway")
    void provider_nullPrefix_isRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> new HoldfastLockProvider(holdfast, null))
                .withMessage("prefix is null; give a prefix, which may be empty");
    }

    @Test
    void lock_anotherPrefix_isAnotherLock() {
        lock(HOUR, Duration.ZERO);

        assertThat(new HoldfastLockProvider(holdfast, "").lock(job(HOUR, Duration.ZERO)))
                .isPresent();
        assertThat(node.ownerOf("report")).isNotNull();
    }

    @Test
    void lock_lockAtMostForIsOver_isReleasedOnTheNodes() throws Exception {
        assertThat(lock(Duration.ofMillis(1_500), Duration.ZERO)).isPresent();

        assertThat(holdfast.lock("shedlock:report").acquire()).isNotNull();
        assertThat(HoldfastLockProvider.current()).isEmpty();
    }

    /** The time of the task ends with {@code lockAtMostFor}, and not a margin before. */
    @Test
    @Tag("slow")
    void lock_lockAtLeastForAsLongAsLockAtMostFor_isHeldUntilItsEnd() throws Exception {
        Instant begun = Instant.now();
        assertThat(lock(Duration.ofSeconds(2), Duration.ofSeconds(2))).isPresent();

        assertThat(holdfast.lock("shedlock:report").acquire()).isNotNull();
        assertThat(Duration.between(begun, Instant.now())).isGreaterThan(Duration.ofMillis(1_980));
    }

    @Test
    void lock_timeIsOverAlready_isNotGranted() {
        Instant before = Instant.now().minusSeconds(60);

        assertThat(provider.lock(new LockConfiguration(before, "report", Duration.ofSeconds(10), Duration.ZERO)))
                .isEmpty();
    }

    /** The nodes keep the lock, so nothing depends on this process. */
    @Test
    void unlock_withinLockAtLeastFor_isKeptByTheNodes() throws Exception {
        SimpleLock lock = lock(HOUR, Duration.ofSeconds(40)).orElseThrow();
        Lease lease = HoldfastLockProvider.current().orElseThrow();

        lock.unlock();

        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(node.timeLeft("shedlock:report")).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(41));
        assertThat(lock(HOUR, Duration.ZERO)).isEmpty();
    }

    /** The part beyond the longest lease is held by this process. */
    @Test
    void unlock_lockAtLeastForBeyondTheLongestLease_isHeldFurther() {
        SimpleLock lock = lock(HOUR, Duration.ofMinutes(10)).orElseThrow();
        Lease lease = HoldfastLockProvider.current().orElseThrow();

        lock.unlock();

        assertThat(lease.isValid()).isTrue();
        assertThat(lock(HOUR, Duration.ZERO)).isEmpty();
    }

    @Test
    @Tag("slow")
    void unlock_lockAtLeastForJustBeyondTheLongestLease_isThenKeptByTheNodes() throws Exception {
        SimpleLock lock = lock(HOUR, OPTIONS.maxLease().plusMillis(500)).orElseThrow();
        Lease lease = HoldfastLockProvider.current().orElseThrow();

        lock.unlock();

        CompletableFuture<?> released = new CompletableFuture<>();
        time.schedule(Duration.ofMillis(10), new Runnable() {
            @Override
            public void run() {
                if (lease.state() == LeaseState.RELEASED) {
                    released.complete(null);
                } else {
                    time.schedule(Duration.ofMillis(10), this);
                }
            }
        });
        released.get();
        assertThat(node.timeLeft("shedlock:report")).isGreaterThan(Duration.ofSeconds(30));
    }

    @Test
    void unlock_lockIsLost_throwsNothing() {
        SimpleLock lock = lock(HOUR, Duration.ZERO).orElseThrow();
        holdfast.admin().breakLock("shedlock:report");
        holdfast.admin().breakLock("shedlock:report");

        lock.unlock();

        assertThat(lock(HOUR, Duration.ZERO)).isPresent();
    }

    @Test
    void extend_longerTime_movesTheLimit() {
        SimpleLock lock = lock(Duration.ofSeconds(40), Duration.ZERO).orElseThrow();
        Lease lease = HoldfastLockProvider.current().orElseThrow();

        SimpleLock extended = lock.extend(HOUR, Duration.ZERO).orElseThrow();

        assertThat(lease.extend(Duration.ofSeconds(50))).isTrue();
        extended.unlock();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
    }

    /** The nodes would keep the lock for the rest of its lease. */
    @Test
    @Tag("slow")
    void extend_shorterTime_isReleasedOnTheNodesAfterIt() throws Exception {
        SimpleLock lock = lock(HOUR, Duration.ZERO).orElseThrow();

        assertThat(lock.extend(Duration.ofMillis(1_200), Duration.ZERO)).isPresent();

        assertThat(holdfast.lock("shedlock:report").tryAcquire(HOUR)).isPresent();
    }

    /** The margin by which a loss precedes the end of this lease is a second. */
    @Test
    @Tag("slow")
    void extend_timeWithinTheMargin_isHeldUntilItsEnd() throws Exception {
        SimpleLock lock = lock(HOUR, Duration.ZERO).orElseThrow();
        Instant begun = Instant.now();

        assertThat(lock.extend(Duration.ofMillis(500), Duration.ZERO)).isPresent();

        assertThat(holdfast.lock("shedlock:report").tryAcquire(HOUR)).isPresent();
        assertThat(Duration.between(begun, Instant.now())).isGreaterThan(Duration.ofMillis(480));
    }

    @Test
    void extend_lockIsLost_isEmpty() throws Exception {
        SimpleLock lock = lock(HOUR, Duration.ZERO).orElseThrow();
        Lease lease = HoldfastLockProvider.current().orElseThrow();
        holdfast.admin().breakLock("shedlock:report");
        lease.lossFuture().get();

        assertThat(lock.extend(HOUR, Duration.ZERO)).isEmpty();
    }

    @Test
    void current_inATask_isItsLease() throws Throwable {
        DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);

        var token = executor.executeWithLock(
                () -> {
                    executor.executeWithLock(
                            (Runnable) () -> assertThat(resource()).isEqualTo("shedlock:inner"),
                            new LockConfiguration(ClockProvider.now(), "inner", HOUR, Duration.ZERO));
                    assertThat(resource()).isEqualTo("shedlock:report");
                    return HoldfastLockProvider.current().orElseThrow().fencingToken();
                },
                job(HOUR, Duration.ZERO));

        assertThat(token.getResult()).isNotNull();
        assertThat(HoldfastLockProvider.current()).isEmpty();
    }

    @Test
    void current_taskHasEndedButItsLockIsHeldFurther_isEmpty() {
        SimpleLock lock = lock(HOUR, Duration.ofMinutes(10)).orElseThrow();

        lock.unlock();

        assertThat(HoldfastLockProvider.current()).isEmpty();
    }

    @Test
    void current_anotherThreadHasUnlocked_isEmpty() {
        SimpleLock lock = lock(HOUR, Duration.ofMinutes(10)).orElseThrow();

        CompletableFuture.runAsync(lock::unlock).join();

        assertThat(HoldfastLockProvider.current()).isEmpty();
    }

    private static String resource() {
        return HoldfastLockProvider.current().map(Lease::resource).orElse("none");
    }

    @Test
    void lock_interrupted_throwsAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> lock(HOUR, Duration.ZERO)).isInstanceOf(LockException.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    /** The restart of a server skips no run. */
    @Test
    void lock_nodeAnswersAgainWithinTwoSeconds_isGranted() {
        FailingNode failing = new FailingNode(node, 3);
        try (Holdfast client = Holdfast.over(List.of(failing), OPTIONS, time, new Random(2))) {
            assertThat(new HoldfastLockProvider(client).lock(job(HOUR, Duration.ZERO)))
                    .isPresent();
        }
    }

    @Test
    @Tag("slow")
    void lock_nodeDoesNotAnswer_throwsWithTheCause() {
        FailingNode failing = new FailingNode(node, Integer.MAX_VALUE);
        try (Holdfast client = Holdfast.over(List.of(failing), OPTIONS, time, new Random(2))) {
            assertThatThrownBy(() -> new HoldfastLockProvider(client).lock(job(HOUR, Duration.ZERO)))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("'shedlock:report'")
                    .hasCauseInstanceOf(QuorumUnreachableException.class);
        }
    }

    /** A node that does not answer the first claims. */
    private static final class FailingNode extends ForwardingNode {

        private int failures;

        FailingNode(LockNode node, int failures) {
            super(node);
            this.failures = failures;
        }

        @Override
        public synchronized CompletionStage<Reply> ask(Claim claim) {
            boolean fails = claim.action() == Claim.Action.ACQUIRE && failures-- > 0;
            return fails ? CompletableFuture.completedFuture(Reply.notSent("no connection")) : super.ask(claim);
        }
    }
}
