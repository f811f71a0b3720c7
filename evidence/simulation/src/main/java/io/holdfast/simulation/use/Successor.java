package io.holdfast.simulation.use;

import io.holdfast.DetachedLease;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.simulation.world.WaitEnded;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Resumes the lease of another user, in any process. */
final class Successor extends User {

    private static final int MOST_TRIES = 20;

    private int tries;

    Successor(Host host, Menu menu, RandomGenerator random) {
        super(host, menu, random);
    }

    @Override
    void act() {}

    /** Resumes the lease as soon as there is a thread for it. */
    void attach(DetachedLease handle, LockOptions with) {
        later(Menu.upToMillis(random, random.nextBoolean() ? 1 : 50), () -> {
            if (host.mayBlock()) {
                resumeNow(handle, with);
            } else if (tries++ < MOST_TRIES) {
                attach(handle, with);
            }
        });
    }

    private void resumeNow(DetachedLease handle, LockOptions with) {
        Host.Attempt attempt = host.begin();
        Duration oneRound = with.nodeTimeout().plusMillis(1);
        Lease lease = call(
                "resume",
                () -> host.interrupt(oneRound, () -> host.holdfast().attach(handle, with)),
                InterruptedException.class,
                WaitEnded.class,
                LeaseLostException.class,
                QuorumUnreachableException.class,
                LockTimeoutException.class,
                IllegalStateException.class);
        if (lease != null) {
            keep(attempt.resumed(lease, with));
        }
    }
}
