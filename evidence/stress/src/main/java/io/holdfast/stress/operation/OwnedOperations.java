package io.holdfast.stress.operation;

import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import io.holdfast.locks.OwnedLease;
import io.holdfast.locks.OwnedLock;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.ObservedHold;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Operations on a lock with named owners, which cancel an acquisition and request the lock again at once. */
public final class OwnedOperations implements Operation {

    private static final int CANCEL_MICROS = 2_000;
    /** The limit of a busy wait; a longer one would slow the other threads down. */
    private static final long SPIN_NANOS = 2_000_000;

    private static final Duration WAIT = Duration.ofMillis(300);

    @Override
    public void run(OperationContext context) throws InterruptedException, ExecutionException {
        Client client = context.client();
        OwnedLock lock = client.ownedLock();
        String owner = "owner-" + context.worker();
        long floor = context.floor(Names.OWNED);
        if (context.oneIn(3)) {
            tryAsync(context, client, owner, floor);
            return;
        }
        CompletableFuture<OwnedLease> first = lock.by(owner).acquireAsync();
        cancel(context, lock, owner, first);
        OwnedLease lease = first.isCancelled() ? again(lock, owner) : first.get();
        if (lease != null) {
            hold(context, client, owner, lease, floor);
        }
    }

    private static void tryAsync(OperationContext context, Client client, String owner, long floor)
            throws InterruptedException, ExecutionException {
        CompletableFuture<Optional<OwnedLease>> wanted =
                client.ownedLock().by(owner).tryAcquireAsync(WAIT);
        if (context.random().nextBoolean()) {
            context.pause(CANCEL_MICROS);
            wanted.cancel(true);
        }
        if (!wanted.isCancelled()) {
            wanted.get().ifPresent(lease -> hold(context, client, owner, lease, floor));
        }
    }

    /** Cancels at a random time, or as soon as the owner holds the lock and its future is not completed yet. */
    private static void cancel(
            OperationContext context, OwnedLock lock, String owner, CompletableFuture<OwnedLease> future) {
        switch (context.random().nextInt(3)) {
            case 0 -> {
                context.pause(CANCEL_MICROS);
                future.cancel(true);
            }
            case 1 -> {
                long end = System.nanoTime() + SPIN_NANOS;
                while (!future.isDone() && lock.lease(owner).isEmpty() && System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
                future.cancel(true);
            }
            default -> {}
        }
    }

    private static @Nullable OwnedLease again(OwnedLock lock, String owner)
            throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (true) {
            try {
                return lock.by(owner).acquire(WAIT);
            } catch (LockTimeoutException held) {
                return null;
            } catch (CancellationException cancelled) {
                throw new IllegalStateException("cancelled without a call of cancel", cancelled);
            } catch (IllegalStateException stillWaits) {
                if (System.nanoTime() - end > 0) {
                    throw stillWaits;
                }
                Thread.onSpinWait();
            }
        }
    }

    private static void hold(OperationContext context, Client client, String owner, OwnedLease held, long floor) {
        Lease lease = held.lease();
        ObservedHold hold = context.enter(lease, floor);
        context.work();
        context.requireNotReleased(lease);
        hold.leave();
        try {
            client.ownedLock().release(owner);
        } catch (IllegalMonitorStateException notHeld) {
            if (!client.isClosing()) {
                context.report(Kind.RELEASED_WITHOUT_HOLDER, hold + " was released, but not by its owner");
            }
        }
    }
}
