package io.holdfast.shedlock;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.servers.PatientOptions;
import io.holdfast.test.HoldfastExtension;
import java.time.Duration;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ShedLock's own contract for providers whose locks can be extended, with its fuzz test. */
abstract class ProviderContract extends AbstractExtensibleLockProviderIntegrationTest {

    /** The prefix of a second lock that a provider may hold as well, and which may expire later. */
    static final String OTHER_PREFIX = "old:";

    private final Holdfast holdfast;

    ProviderContract(HoldfastExtension locks) {
        this.holdfast = locks.holdfast();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new HoldfastLockProvider(holdfast);
    }

    /** The provider waits two seconds for the servers, and the first command of a slow machine takes longer. */
    @BeforeEach
    void useConnections() throws InterruptedException {
        holdfast.lock("first", PatientOptions.LOCK).acquire().close();
    }

    /** ShedLock's test requires that a lock for 50 ms is granted, which a slow machine cannot do. */
    @Test
    @Override
    public void shouldTimeout() {
        expiredLock();

        assertThat(getLockProvider().lock(lockConfig(LOCK_NAME1))).isPresent();
    }

    /** As for {@link #shouldTimeout}: ShedLock's lock lasts 2 ms. */
    @Test
    @Override
    public void shouldNotBeAbleToExtendExpiredLock() {
        SimpleLock lock = expiredLock();

        assertThat(lock.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertUnlocked(LOCK_NAME1);
    }

    /** As for {@link #shouldTimeout}: the lease of ShedLock's lock lasts 2 s, and is renewed until the longer limit. */
    @Test
    @Override
    public void shouldBeAbleToExtendLock() {
        assertExtensions(1);
    }

    /** As for {@link #shouldBeAbleToExtendLock}. */
    @Test
    @Override
    public void shouldBeAbleToExtendMultipleTimes() {
        assertExtensions(3);
    }

    /** As for {@link #shouldTimeout}: ShedLock's lock is to be refused within 2 s. */
    @Test
    @Override
    public void shouldLockAtLeastFor() {
        lockFor(Duration.ofMinutes(5), Duration.ofMinutes(1)).unlock();

        assertThat(getLockProvider().lock(lockConfig(LOCK_NAME1))).isEmpty();
    }

    private void assertExtensions(int count) {
        SimpleLock lock = lockFor(Duration.ofMinutes(1), Duration.ZERO);
        for (int i = 1; i <= count; i++) {
            lock = lock.extend(Duration.ofMinutes(1 + i), Duration.ZERO).orElseThrow();
        }
        assertLocked(LOCK_NAME1);
        lock.unlock();
        assertUnlocked(LOCK_NAME1);
    }

    private SimpleLock lockFor(Duration atMost, Duration atLeast) {
        return getLockProvider().lock(lockConfig(LOCK_NAME1, atMost, atLeast)).orElseThrow();
    }

    private SimpleLock expiredLock() {
        SimpleLock lock = lockFor(Duration.ofSeconds(1), Duration.ZERO);
        eventually("the lock has expired", () -> !isLocked(LOCK_NAME1));
        return lock;
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(isLocked(name)).isTrue();
    }

    @Override
    protected void assertUnlocked(String name) {
        assertThat(isLocked(name)).isFalse();
    }

    private boolean isLocked(String name) {
        return Stream.of(HoldfastLockProvider.DEFAULT_PREFIX, OTHER_PREFIX)
                .anyMatch(
                        prefix -> holdfast.admin().status(prefix + name).held().isPresent());
    }
}
