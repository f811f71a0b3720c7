package io.holdfast.shedlock;

import io.holdfast.test.HoldfastExtension;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** ShedLock's contract for a provider alongside another one, in memory. Its tests sleep for up to some seconds. */
@Tag("slow")
@Tag("evidence")
class AlongsideContractTest extends ProviderContract {

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

    AlongsideContractTest() {
        super(LOCKS);
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new HoldfastLockProvider(LOCKS.holdfast())
                .alongside(new HoldfastLockProvider(LOCKS.holdfast(), OTHER_PREFIX).withoutRecords());
    }
}
