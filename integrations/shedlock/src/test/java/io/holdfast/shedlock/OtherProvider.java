package io.holdfast.shedlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;

/** Another provider with one lock, which a test controls. */
final class OtherProvider implements LockProvider {

    final List<LockConfiguration> requests = new ArrayList<>();
    boolean isFree = true;
    boolean isLost;
    boolean isLocked;
    Runnable beforeUnlocking = () -> {};

    @Nullable
    RuntimeException failure;

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        requests.add(configuration);
        fail();
        isLocked = isFree;
        return isFree ? Optional.of(granted()) : Optional.empty();
    }

    private void fail() {
        if (failure != null) {
            throw failure;
        }
    }

    private SimpleLock granted() {
        return new SimpleLock() {

            @Override
            public void unlock() {
                beforeUnlocking.run();
                isLocked = false;
                fail();
            }

            @Override
            public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
                fail();
                isLocked = !isLost;
                return isLost ? Optional.empty() : Optional.of(granted());
            }
        };
    }
}
