package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks whose locks are held together with those of another provider. */
class AlongsideTest {

    private static final String NAME = "shedlock:report";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SystemTime time = new SystemTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final OtherProvider other = new OtherProvider();
    private final HoldfastLockProvider own = new HoldfastLockProvider(holdfast);
    private final HoldfastLockProvider provider = own.alongside(other);

    @AfterEach
    void close() {
        holdfast.close();
        time.close();
    }

    private static LockConfiguration task() {
        return new LockConfiguration(ClockProvider.now(), "report", HOUR, MINUTE);
    }

    private SimpleLock locked() {
        return provider.lock(task()).orElseThrow();
    }

    private boolean isHeld() {
        return node.ownerOf(NAME) != null;
    }

    private List<JobRun> runs() {
        return JobHistory.of(holdfast.admin().record(NAME))
                .map(JobHistory::runs)
                .orElse(List.of());
    }

    @Test
    void lock_bothAreFree_isGranted() {
        SimpleLock lock = locked();

        assertThat(isHeld()).isTrue();
        assertThat(other.isLocked).isTrue();
        assertThat(HoldfastLockProvider.current().map(Lease::resource)).contains(NAME);
        lock.unlock();
        assertThat(other.isLocked).isFalse();
        assertThat(HoldfastLockProvider.current()).isEmpty();
        assertThat(runs())
                .singleElement()
                .satisfies(run -> assertThat(run.duration()).isPresent());
    }

    @Test
    void lock_ownIsRefused_doesNotAskTheOther() {
        own.lock(task());

        assertThat(provider.lock(task())).isEmpty();

        assertThat(other.requests).isEmpty();
    }

    /** Otherwise the next run would be skipped everywhere, although no task has run here. */
    @Test
    void lock_otherIsRefused_isFreeBeforeLockAtLeastForIsOver() {
        other.isFree = false;

        assertThat(provider.lock(task())).isEmpty();

        assertThat(isHeld()).isFalse();
        assertThat(HoldfastLockProvider.current()).isEmpty();
        assertThat(runs()).isEmpty();
    }

    @Test
    void lock_otherFails_releasesOwnAndThrows() {
        other.failure = new LockException("no connection");

        assertThatThrownBy(() -> provider.lock(task())).isSameAs(other.failure);

        assertThat(isHeld()).isFalse();
    }

    /** The wait for nodes may take longer than the time that the other lock would have left. */
    @Test
    void lock_requestedLater_givesTheOtherAllOfItsTime() {
        Instant created = ClockProvider.now().minus(MINUTE);

        provider.lock(new LockConfiguration(created, "report", HOUR, MINUTE));

        assertThat(other.requests).singleElement().satisfies(request -> {
            assertThat(request.getName()).isEqualTo("report");
            assertThat(request.getLockAtLeastFor()).isEqualTo(MINUTE);
            assertThat(request.getLockAtMostUntil())
                    .isAfterOrEqualTo(created.plus(MINUTE).plus(HOUR));
        });
    }

    @Test
    void lock_withoutRecords_asksTheOtherAsWell() {
        provider.withoutRecords().lock(task());

        assertThat(other.isLocked).isTrue();
        assertThat(runs()).isEmpty();
    }

    @Test
    void unlock_otherFails_releasesOwnAndThrows() {
        SimpleLock lock = provider.lock(new LockConfiguration(ClockProvider.now(), "report", HOUR, Duration.ZERO))
                .orElseThrow();
        List<Boolean> held = new ArrayList<>();
        other.beforeUnlocking = () -> held.add(isHeld());
        other.failure = new LockException("no connection");

        assertThatThrownBy(lock::unlock).isSameAs(other.failure);

        assertThat(held).containsExactly(true);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void extend_held_extendsBoth() {
        SimpleLock lock = locked();
        Lease lease = HoldfastLockProvider.current().orElseThrow();

        SimpleLock longer = lock.extend(HOUR.multipliedBy(2), Duration.ZERO).orElseThrow();

        assertThat(lease.isValid()).isTrue();
        assertThat(other.isLocked).isTrue();
        longer.unlock();
        assertThat(isHeld()).isFalse();
        assertThat(other.isLocked).isFalse();
    }

    @Test
    void extend_otherIsLost_releasesOwn() {
        SimpleLock lock = locked();
        Lease lease = HoldfastLockProvider.current().orElseThrow();
        other.isLost = true;

        assertThat(lock.extend(HOUR, Duration.ZERO)).isEmpty();

        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void extend_ownIsLost_unlocksTheOther() throws Exception {
        SimpleLock lock = locked();
        Lease lease = HoldfastLockProvider.current().orElseThrow();
        holdfast.admin().breakLock(NAME);
        lease.lossFuture().get();

        assertThat(lock.extend(HOUR, Duration.ZERO)).isEmpty();

        assertThat(other.isLocked).isFalse();
    }

    /** Without the first one, old instances would run the task as well. */
    @Test
    void alongside_twice_isRefused() {
        assertThatThrownBy(() -> provider.alongside(other))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("give alongside one LockProvider that takes the locks of both");
    }

    /** Such as a provider whose locks cannot be extended. */
    @Test
    void extend_otherFails_changesNothing() {
        SimpleLock lock = locked();
        other.failure = new UnsupportedOperationException();

        assertThatThrownBy(() -> lock.extend(HOUR, Duration.ZERO)).isSameAs(other.failure);

        other.failure = null;
        assertThat(isHeld()).isTrue();
        assertThat(other.isLocked).isTrue();
        lock.unlock();
        assertThat(other.isLocked).isFalse();
    }
}
