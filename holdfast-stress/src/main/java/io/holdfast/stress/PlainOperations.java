package io.holdfast.stress;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Stay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Blocking acquires: with limits, alone and shared, interrupted, released from two threads. */
final class PlainOperations implements Operation {

    private static final int WAIT_MILLIS = 300;
    private static final int INTERRUPT_MICROS = 3_000;

    /** All who want a lock agree on its terms, so that it is handed over within a client. */
    private static final List<LockOptions> TERMS = List.of(
            LockOptions.DEFAULT,
            LockOptions.builder().lease(Duration.ofSeconds(1)).fair(true).build(),
            LockOptions.builder().lease(Duration.ofMillis(300)).renewal(false).build());

    @Override
    public void run(Scene scene) throws InterruptedException, ExecutionException {
        Client client = scene.client();
        DistributedLock lock = anyLock(scene, client);
        long floor = scene.floor(lock.resource());
        switch (scene.random().nextInt(5)) {
            case 0 -> scene.stay(client, lock.acquire(scene.upToMillis(WAIT_MILLIS)), floor);
            case 1 -> scene.stay(client, lock.shared().acquire(scene.upToMillis(WAIT_MILLIS)), floor);
            case 2 -> {
                Lease lease = lock.tryAcquire().orElse(null);
                if (lease != null) {
                    scene.stay(client, lease, floor);
                }
            }
            case 3 -> scene.stay(client, interrupted(scene, lock), floor);
            default -> releaseTwice(scene, lock.acquire(scene.upToMillis(WAIT_MILLIS)), floor);
        }
    }

    private static DistributedLock anyLock(Scene scene, Client client) {
        int which = scene.random().nextInt(TERMS.size());
        return client.holdfast().lock(Names.PLAIN + which, TERMS.get(which));
    }

    private static Lease interrupted(Scene scene, DistributedLock lock) throws InterruptedException {
        return scene.bell()
                .interrupted(
                        scene.random().nextInt(INTERRUPT_MICROS), () -> lock.acquire(Duration.ofMillis(WAIT_MILLIS)));
    }

    private static void releaseTwice(Scene scene, Lease lease, long floor)
            throws InterruptedException, ExecutionException {
        Stay stay = scene.enter(lease, floor);
        scene.work();
        stay.leave();
        Future<?> other = scene.bell().beside(lease::close);
        ReleaseOutcome first = lease.release();
        other.get();
        if (first != lease.release()) {
            scene.report(Kind.UNEXPECTED, "a second release of " + stay + " returned another outcome than " + first);
        }
    }
}
