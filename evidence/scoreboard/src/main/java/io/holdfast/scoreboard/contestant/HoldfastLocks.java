package io.holdfast.scoreboard.contestant;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Holdfast; the quarantine of restarted servers is on, with one server as well. */
final class HoldfastLocks implements Contestant {

    private final Holdfast holdfast;
    private final LockOptions options;

    HoldfastLocks(List<String> uris, Duration lease) {
        this.holdfast = Holdfast.connect(
                uris,
                HoldfastOptions.builder()
                        .maxLease(lease)
                        .restarts(RestartPolicy.QUARANTINE)
                        .build());
        this.options = LockOptions.builder()
                .lease(lease)
                .waitLimit(LockOptions.FOREVER)
                .build();
    }

    @Override
    public Hold acquire(String resource, Runnable onLost) throws InterruptedException {
        Lease lease = holdfast.lock(resource, options).acquire();
        lease.onLost(loss -> onLost.run());
        return new Hold(OptionalLong.of(lease.fencingToken().value()), lease::close);
    }
}
