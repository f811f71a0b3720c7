package io.holdfast.stress;

import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import io.holdfast.locks.OwnedLock;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Stay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A lock of named owners, which cancel what they have asked for and ask again at once. */
final class OwnedOperations implements Operation {

    private static final int CANCEL_MICROS = 2_000;
    /** Longer, and the threads that spin keep the others from their work. */
    private static final long SPIN_NANOS = 2_000_000;

    private static final Duration WAIT = Duration.ofMillis(300);

    @Override
    public void run(Scene scene) throws InterruptedException, ExecutionException {
        Client client = scene.client();
        OwnedLock lock = client.ownedLock();
        String owner = "owner-" + scene.worker();
        long floor = scene.floor(Names.OWNED);
        if (scene.oneIn(3)) {
            tryAsync(scene, client, owner, floor);
            return;
        }
        CompletableFuture<Lease> first = lock.acquireAsync(owner);
        cancel(scene, lock, owner, first);
        Lease lease = first.isCancelled() ? again(lock, owner) : first.get();
        if (lease != null) {
            stay(scene, client, owner, lease, floor);
        }
    }

    private static void tryAsync(Scene scene, Client client, String owner, long floor)
            throws InterruptedException, ExecutionException {
        CompletableFuture<Optional<Lease>> wanted = client.ownedLock().tryAcquireAsync(owner, WAIT);
        if (scene.random().nextBoolean()) {
            scene.pause(CANCEL_MICROS);
            wanted.cancel(true);
        }
        if (!wanted.isCancelled()) {
            wanted.get().ifPresent(lease -> stay(scene, client, owner, lease, floor));
        }
    }

    /** At a random time, or at the moment when the owner is known to be inside and its future has not heard of it. */
    private static void cancel(Scene scene, OwnedLock lock, String owner, CompletableFuture<Lease> wanted) {
        switch (scene.random().nextInt(3)) {
            case 0 -> {
                scene.pause(CANCEL_MICROS);
                wanted.cancel(true);
            }
            case 1 -> {
                long end = System.nanoTime() + SPIN_NANOS;
                while (!wanted.isDone() && lock.lease(owner).isEmpty() && System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                wanted.cancel(true);
            }
            default -> {}
        }
    }

    private static @Nullable Lease again(OwnedLock lock, String owner) throws InterruptedException, ExecutionException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (true) {
            try {
                return lock.acquire(owner, WAIT);
            } catch (LockTimeoutException held) {
                return null;
            } catch (CancellationException notMine) {
                throw new IllegalStateException("cancelled by nobody", notMine);
            } catch (IllegalStateException stillWaits) {
                if (System.nanoTime() - giveUp > 0) {
                    throw stillWaits;
                }
                Thread.onSpinWait();
            }
        }
    }

    private static void stay(Scene scene, Client client, String owner, Lease lease, long floor) {
        Stay stay = scene.enter(lease, floor);
        scene.work();
        scene.requireNotReleased(lease);
        stay.leave();
        try {
            client.ownedLock().release(owner);
        } catch (IllegalMonitorStateException nobody) {
            if (!client.isClosing()) {
                scene.report(Kind.RELEASED_BY_NOBODY, stay + " was released, but its owner is not inside");
            }
        }
    }
}
