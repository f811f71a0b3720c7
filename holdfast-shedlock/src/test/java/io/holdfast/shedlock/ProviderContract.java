package io.holdfast.shedlock;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.servers.PatientOptions;
import io.holdfast.test.HoldfastExtension;
import java.time.Duration;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ShedLock's own contract for providers whose locks can be extended, with its fuzz test. */
abstract class ProviderContract extends AbstractExtensibleLockProviderIntegrationTest {

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

    private SimpleLock expiredLock() {
        SimpleLock lock = getLockProvider()
                .lock(lockConfig(LOCK_NAME1, Duration.ofSeconds(1), Duration.ZERO))
                .orElseThrow();
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
        return holdfast.admin()
                .status(HoldfastLockProvider.DEFAULT_PREFIX + name)
                .held()
                .isPresent();
    }
}
