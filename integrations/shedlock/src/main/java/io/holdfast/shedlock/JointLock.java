package io.holdfast.shedlock;

import io.holdfast.spi.OuterLock;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A lock of Holdfast and one of another provider, which a task holds both. */
final class JointLock extends AbstractSimpleLock {

    private final SimpleLock own;
    private final SimpleLock other;

    JointLock(LockConfiguration configuration, SimpleLock own, SimpleLock other) {
        super(configuration);
        this.own = own;
        this.other = other;
    }

    @Override
    protected void doUnlock() {
        OuterLock.releaseBoth(other::unlock, own::unlock);
    }

    /** Not every provider can extend its locks. The other one is asked first, so nothing has changed if it throws. */
    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration next) {
        Optional<SimpleLock> longer = other.extend(next.getLockAtMostFor(), next.getLockAtLeastFor());
        if (longer.isEmpty()) {
            own.unlock();
            return longer;
        }
        Optional<SimpleLock> both = own.extend(next.getLockAtMostFor(), next.getLockAtLeastFor())
                .map(ownLonger -> new JointLock(next, ownLonger, longer.get()));
        if (both.isEmpty()) {
            longer.get().unlock();
        }
        return both;
    }
}
