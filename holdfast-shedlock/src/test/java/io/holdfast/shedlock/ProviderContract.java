package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.test.HoldfastExtension;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;

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
