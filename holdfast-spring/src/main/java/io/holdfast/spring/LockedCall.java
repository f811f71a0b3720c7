package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.spring.proxy.ResultKind;
import io.holdfast.time.Moment;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method under its lock, from the grant to the release. The lock is released when the method has returned, its future has
 * completed, and the transaction that it was called in has completed.
 */
final class LockedCall {

    private static final System.Logger LOG = System.getLogger(HoldfastLock.class.getName());

    private final LockedMethod method;
    private final DistributedLock lock;
    private final Lease lease;
    private final LockObserver.Work work;
    private final Moment granted;
    private final ThreadLeases leases = ThreadLeases.ofThisThread();

    LockedCall(LockedMethod method, DistributedLock lock, Lease lease, LockObserver.Work work) {
        this.method = method;
        this.lock = lock;
        this.lease = lease;
        this.work = work;
        this.granted = lock.time().now();
    }

    @Nullable
    Object run(MethodInvocation call) throws Throwable {
        leases.add(lease);
        boolean inTransaction = TransactionEnd.isPending();
        CompletableFuture<@Nullable Object> body = CompletableFuture.completedFuture(null);
        try {
            Object result = work.run(() -> CurrentLease.with(lease, () -> watched(call)));
            if (method.result() == ResultKind.STAGE && result instanceof CompletionStage<?> stage) {
                body = new CompletableFuture<>();
                return follow(stage, body, inTransaction);
            }
            return result;
        } catch (Throwable failure) {
            work.ended(failure);
            throw failure;
        } finally {
            if (body.isDone()) {
                work.ended(null);
            }
            end(body, inTransaction);
        }
    }

    /** Runs the body of the method, and applies the policy for a loss. */
    private @Nullable Object watched(MethodInvocation call) throws Throwable {
        return switch (method.onLost()) {
            case THROW -> checked(call);
            case INTERRUPT -> interruptible(call);
            case LOG -> {
                lease.onLost(loss -> LOG.log(Level.WARNING, method + " continues without its lock: " + loss));
                yield call.proceed();
            }
        };
    }

    private @Nullable Object checked(MethodInvocation call) throws Throwable {
        Object result = call.proceed();
        requireNotLost();
        return result;
    }

    private @Nullable Object interruptible(MethodInvocation call) throws Throwable {
        InterruptOnLoss interrupt = new InterruptOnLoss(lease);
        Object result;
        try {
            result = call.proceed();
        } catch (Throwable failure) {
            interrupt.end();
            throw lossBefore(failure);
        }
        interrupt.end();
        requireNotLost();
        return result;
    }

    /** Throws if the lease was lost; one that the method itself has released is fine. */
    private void requireNotLost() {
        if (lease.state() == LeaseState.LOST && method.onLost() != LossPolicy.LOG) {
            lease.ensureValidFor(Duration.ZERO);
        }
    }

    private Throwable lossBefore(Throwable failure) {
        try {
            requireNotLost();
            return failure;
        } catch (RuntimeException lost) {
            lost.addSuppressed(failure);
            return lost;
        }
    }

    /** Returns a future that completes as the stage does, but after the release, unless a transaction delays that. */
    private CompletableFuture<?> follow(
            CompletionStage<?> stage, CompletableFuture<@Nullable Object> body, boolean inTransaction) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            Throwable thrown = failure == null ? loss() : failure;
            work.ended(thrown);
            CompletableFuture<?> released = inTransaction ? CompletableFuture.completedFuture(null) : release();
            body.complete(null);
            released.whenComplete((outcome, none) -> {
                if (thrown == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(thrown);
                }
            });
        });
        result.whenComplete((value, failure) -> {
            if (result.isCancelled() && stage instanceof CompletableFuture<?> future) {
                future.cancel(true);
            }
        });
        return result;
    }

    private @Nullable Throwable loss() {
        try {
            requireNotLost();
            return null;
        } catch (RuntimeException lost) {
            return lost;
        }
    }

    private void end(CompletableFuture<?> body, boolean inTransaction) {
        if (inTransaction) {
            reportTransaction();
            TransactionEnd.register(this::requireNotLost, () -> leave(body));
        } else {
            leave(body);
        }
    }

    private void leave(CompletableFuture<?> body) {
        leases.remove(lease);
        if (body.isDone()) {
            lease.release(rest());
        } else {
            body.thenRun(this::release);
        }
    }

    private CompletableFuture<ReleaseOutcome> release() {
        return lease.releaseAsync(rest());
    }

    /** Returns the time for which the nodes have to keep the lock after the method. */
    private Duration rest() {
        return method.rest(granted, lock.time().now());
    }

    private void reportTransaction() {
        if (method.isFirstReport()) {
            LOG.log(
                    Level.WARNING,
                    method + " was called within a transaction, so its lock '" + lease.resource()
                            + "' stays held until that has completed; lock the method that begins the transaction"
                            + " if that is too long. Reported once for this method");
        }
    }
}
