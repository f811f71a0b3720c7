package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.util.concurrent.CompletableFuture;

/** Requests of a step that follows others, on a thread whose exceptions reach no caller. */
final class Requests {

    private Requests() {}

    /** Requests the lock. What this call throws, such as an error of a full stack, fails the future. */
    static CompletableFuture<Lease> acquire(DistributedLock lock, LockOptions with) {
        try {
            return lock.acquireAsync(with);
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }
}
