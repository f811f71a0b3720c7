package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.UnreliableNode;
import io.holdfast.node.Claim;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Moment;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock that is held together with one of another library, in virtual time. */
@SuppressWarnings("LockNotBeforeTry") // The tests are about when a lock is held.
class AlongsideTest {

    private static final String NAME = "report";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final WaitingTime waits = new WaitingTime();
    private final Holdfast holdfast = Holdfast.forTesting(nodes, waits, new Random(7));
    private final Holdfast client = Holdfast.forTesting(nodes, waits, new Random(8));
    private final OtherLock other = new OtherLock();
    private final ReentrantDistributedLock own = ReentrantDistributedLock.of(holdfast.lock(NAME));
    private final ReentrantDistributedLock lock = own.alongside(other);

    /** The ways to lock. */
    private enum Way {
        LOCK,
        INTERRUPTIBLY,
        AT_ONCE,
        FOR_A_SECOND;

        boolean on(ReentrantDistributedLock lock) throws InterruptedException {
            return switch (this) {
                case LOCK -> {
                    lock.lock();
                    yield true;
                }
                case INTERRUPTIBLY -> {
                    lock.lockInterruptibly();
                    yield true;
                }
                case AT_ONCE -> lock.tryLock();
                case FOR_A_SECOND -> lock.tryLock(1, TimeUnit.SECONDS);
            };
        }
    }

    /** Moves the virtual time while a thread waits. */
    private final class WaitingTime extends ForwardingTime {

        private boolean fails;

        WaitingTime() {
            super(time);
        }

        @Override
        public boolean await(CompletableFuture<?> future, Duration limit) throws InterruptedException {
            if (fails) {
                throw new StackOverflowError("in a test");
            }
            Moment begun = time.now();
            while (!future.isDone() && time.now().since(begun).compareTo(limit) < 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                time.advance(Duration.ofMillis(1));
            }
            return future.isDone();
        }
    }

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private boolean isHeld() {
        time.settle();
        return nodes.stream().filter(node -> node.ownerOf(NAME) != null).count() > 1;
    }

    private void holdElsewhere() throws InterruptedException {
        client.lock(NAME).acquire();
    }

    private void assertNothingIsHeld() {
        time.advance(SECOND);
        assertThat(isHeld()).isFalse();
        assertThat(other.depth).isZero();
        assertThat(lock.holdCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void lock_free_isLockedAfterTheOtherAndUnlockedBeforeIt(Way way) throws InterruptedException {
        List<Boolean> held = new ArrayList<>();
        other.afterLocking = () -> held.add(isHeld());
        other.beforeUnlocking = () -> held.add(isHeld());

        assertThat(way.on(lock)).isTrue();
        assertThat(isHeld()).isTrue();
        assertThat(other.depth).isOne();
        lock.unlock();

        assertThat(held).containsExactly(false, false);
        assertNothingIsHeld();
    }

    @Test
    void tryLock_otherIsRefused_doesNotAskTheNodes() throws InterruptedException {
        other.isFree = false;

        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse();

        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE)).isZero();
        assertThat(other.calls).containsExactly("tryLock", "tryLock 1000");
    }

    @ParameterizedTest
    @EnumSource(names = {"AT_ONCE", "FOR_A_SECOND"})
    void tryLock_ownIsRefused_unlocksTheOther(Way way) throws InterruptedException {
        holdElsewhere();

        assertThat(way.on(lock)).isFalse();

        assertThat(other.calls).endsWith("unlock");
        assertThat(other.depth).isZero();
        assertThat(lock.lease()).isEmpty();
    }

    @Test
    void tryLock_otherTakesPartOfTheTime_ownWaitsForTheRest() throws InterruptedException {
        holdElsewhere();
        Moment begun = time.now();
        other.afterLocking = () -> time.advance(Duration.ofMillis(700));

        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse();

        assertThat(time.now().since(begun)).isEqualTo(SECOND);
    }

    /** A lock that is free then is granted, as that of a call that does not wait. */
    @Test
    void tryLock_otherTakesAllTheTime_ownDoesNotWait() throws InterruptedException {
        other.afterLocking = () -> time.advance(SECOND.multipliedBy(2));

        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();

        lock.unlock();
        holdElsewhere();
        Moment begun = time.now();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse();
        assertThat(time.now().since(begun)).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void tryLock_tooFewNodesAnswer_unlocksTheOtherAndThrows() {
        nodes.forEach(UnreliableNode::down);

        assertThatThrownBy(lock::tryLock).isInstanceOf(QuorumUnreachableException.class);

        assertNothingIsHeld();
    }

    @Test
    void tryLock_otherCannotBeUnlocked_reportsBoth() throws InterruptedException {
        other.unlockFailure = new IllegalStateException("no connection");
        nodes.forEach(UnreliableNode::down);

        assertThatThrownBy(lock::tryLock)
                .isInstanceOf(QuorumUnreachableException.class)
                .hasSuppressedException(other.unlockFailure);

        nodes.forEach(UnreliableNode::up);
        holdElsewhere();
        assertThatThrownBy(lock::tryLock).isSameAs(other.unlockFailure);
    }

    @ParameterizedTest
    @EnumSource
    void lock_errorBetweenTheTwo_unlocksTheOther(Way way) {
        nodes.forEach(node -> node.latency(Duration.ofMillis(5)));
        other.afterLocking = () -> waits.fails = true;

        assertThatThrownBy(() -> way.on(lock)).isInstanceOf(StackOverflowError.class);

        waits.fails = false;
        assertNothingIsHeld();
    }

    @ParameterizedTest
    @EnumSource(names = {"INTERRUPTIBLY", "FOR_A_SECOND"})
    void lock_interruptBetweenTheTwo_unlocksTheOtherAndThrows(Way way) throws InterruptedException {
        holdElsewhere();
        List<Boolean> interrupted = new ArrayList<>();
        other.afterLocking = Thread.currentThread()::interrupt;
        other.beforeUnlocking = () -> interrupted.add(Thread.currentThread().isInterrupted());

        assertThatThrownBy(() -> way.on(lock)).isInstanceOf(InterruptedException.class);

        assertThat(interrupted).containsExactly(false);
        assertThat(other.depth).isZero();
        assertThat(lock.holdCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK", "AT_ONCE"})
    void lock_interruptBetweenTheTwo_isLockedAndStaysInterrupted(Way way) throws InterruptedException {
        other.afterLocking = () -> {
            if (other.calls.size() == 1) {
                Thread.currentThread().interrupt();
            }
        };

        assertThat(way.on(lock)).isTrue();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(isHeld()).isTrue();
        assertThat(other.depth).isOne();
    }

    /** Redisson does not unlock on an interrupted thread, and renews the lock further. */
    @Test
    void unlock_interrupted_unlocksTheOtherWithoutAndStaysInterrupted() {
        List<Boolean> interrupted = new ArrayList<>();
        other.beforeUnlocking = () -> interrupted.add(Thread.currentThread().isInterrupted());
        lock.lock();
        Thread.currentThread().interrupt();

        lock.unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).containsExactly(false);
        assertNothingIsHeld();
    }

    @Test
    void unlock_ownIsLost_unlocksTheOtherAndThrows() {
        lock.lock();
        other.unlockFailure = new IllegalMonitorStateException("lost as well");
        holdfast.close();

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(LeaseLostException.class)
                .hasSuppressedException(other.unlockFailure);

        assertNothingIsHeld();
    }

    @Test
    void unlock_otherIsLost_unlocksOwnAndThrows() {
        lock.lock();
        other.unlockFailure = new IllegalMonitorStateException("not locked by current thread");

        assertThat(catchThrowable(lock::unlock)).isSameAs(other.unlockFailure);

        assertNothingIsHeld();
    }

    /** The thread may hold the other lock by itself. */
    @Test
    void unlock_notLocked_leavesTheOther() {
        other.lockInterruptibly();

        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);

        assertThat(other.depth).isOne();
    }

    @Test
    void lock_again_entersBothAndTheLastUnlockReleasesThem() {
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(other.depth).isEqualTo(2);
        assertThat(lock.holdCount()).isEqualTo(2);

        lock.unlock();
        assertThat(isHeld()).isTrue();
        assertThat(other.depth).isOne();

        lock.unlock();
        assertNothingIsHeld();
    }

    @Test
    void lock_againAfterTheLoss_entersNone() {
        lock.lock();
        holdfast.close();

        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);

        assertThat(other.depth).isOne();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertNothingIsHeld();
    }

    @Test
    void lease_held_isThatOfTheOwnLock() {
        lock.lock();

        assertThat(lock.lease()).isEqualTo(own.lease()).isPresent();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock).hasToString("ReentrantDistributedLock[report] alongside other");
    }

    @Test
    void readAndWrite_eachAlongsideItsCounterpart_excludeEachOther() {
        ReentrantDistributedReadWriteLock locks = ReentrantDistributedReadWriteLock.of(holdfast.lock(NAME));
        OtherLock otherWrite = new OtherLock();
        ReentrantDistributedLock read = locks.readLock().alongside(other);
        ReentrantDistributedLock write = locks.writeLock().alongside(otherWrite);

        write.lock();
        read.lock();
        write.unlock();

        assertThat(otherWrite.depth).isZero();
        assertThat(other.depth).isOne();
        read.unlock();
        assertNothingIsHeld();
    }
}
