package io.holdfast.locks;

import io.holdfast.Held;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.event.Registration;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition by an owner of an {@link OwnedLock}. Closing it reduces the depth of the owner by one; the lock is
 * released when the depth is zero.
 *
 * <p>Thread-safe, and bound to no thread.
 */
public final class OwnedLease implements Held {

    private final OwnerTable owners;
    private final OwnerTable.Entry entry;
    private final Lease lease;
    private final AtomicBoolean left = new AtomicBoolean();
    private final Queue<Registration> callbacks = new ConcurrentLinkedQueue<>();

    OwnedLease(OwnerTable owners, OwnerTable.Entry entry) {
        this.owners = owners;
        this.entry = entry;
        this.lease = entry.granted();
    }

    /**
     * Returns the lease of the owner, with its fencing token. Closing that lease would end all acquisitions of the
     * owner.
     */
    public Lease lease() {
        return lease;
    }

    @Override
    public boolean isValid() {
        return !left.get() && lease.isValid();
    }

    @Override
    public Duration remaining() {
        return left.get() ? Duration.ZERO : lease.remaining();
    }

    @Override
    public void ensureValidFor(Duration duration) {
        if (left.get()) {
            throw LeaseLostException.tooShort(lease.resource(), Duration.ZERO, duration);
        }
        lease.ensureValidFor(duration);
    }

    @Override
    public Registration onLost(Consumer<Loss> callback) {
        Registration added = lease.onLost(loss -> {
            if (!left.get()) {
                callback.accept(loss);
            }
        });
        callbacks.add(added);
        if (left.get()) {
            added.close();
        }
        return () -> {
            added.close();
            callbacks.remove(added);
        };
    }

    /** Ends this acquisition, and returns the lease if it was the last one. The lease may live much longer. */
    private @Nullable Lease leave() {
        if (!left.compareAndSet(false, true)) {
            return null;
        }
        callbacks.forEach(Registration::close);
        return owners.leave(entry);
    }

    private boolean isLost() {
        return !left.get() && lease.state() == LeaseState.LOST;
    }

    @Override
    public void finish() {
        boolean lost = isLost();
        Lease last = leave();
        if (last != null) {
            last.finish();
        } else if (lost) {
            throw LeaseLostException.atRelease(lease.resource());
        }
    }

    @Override
    public CompletableFuture<Void> finishAsync() {
        boolean lost = isLost();
        Lease last = leave();
        if (last != null) {
            return last.finishAsync();
        }
        return lost
                ? CompletableFuture.failedFuture(LeaseLostException.atRelease(lease.resource()))
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<?> releaseAsync() {
        Lease last = leave();
        return last == null ? CompletableFuture.completedFuture(null) : last.releaseAsync();
    }

    @Override
    public void close() {
        Lease last = leave();
        if (last != null) {
            last.close();
        }
    }

    @Override
    public String toString() {
        return "OwnedLease[" + entry.owner + ", " + lease + "]";
    }
}
