package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.event.Registration;
import io.holdfast.spring.use.InterruptOnLoss;
import io.holdfast.spring.use.LeaseUse;
import io.holdfast.spring.use.ThreadLeases;
import io.holdfast.spring.use.TransactionEnd;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method under its lock, from the grant to the release. The lock is released when the method has
 * returned, its future and those of its re-entrant calls have completed, and the transaction that it was called in has
 * completed.
 */
final class LockedCall {

    private static final System.Logger LOG = System.getLogger(HoldfastLock.class.getName());

    private final LockedMethod method;
    private final Lease lease;
    private final LeaseUse use;
    private final LockObserver.Work work;
    private @Nullable ThreadLeases leases;

    /**
     * The check before a commit. Equal ones are registered once, since a transaction may have many re-entrant calls.
     */
    private record LossCheck(LockedMethod method, Lease lease) implements Runnable {

        @Override
        public void run() {
            method.requireNotLost(lease);
        }
    }

    LockedCall(LockedMethod method, LeaseUse use, LockObserver.Work work) {
        this.method = method;
        this.lease = use.lease();
        this.use = use;
        this.work = work;
        method.failed().forget(lease.resource());
    }

    /**
     * Runs a re-entrant call. The lease stays held until the future of the method has completed, also after the outer
     * method.
     */
    static @Nullable Object inner(LockedMethod method, LeaseUse use, CurrentLease.Body<Object, Throwable> call)
            throws Throwable {
        Registration warning = warnOnLoss(method, use.lease());
        Object result;
        try {
            if (TransactionEnd.isPending()) {
                TransactionEnd.register(new LossCheck(method, use.lease()));
            }
            result = CurrentLease.with(use.lease(), () -> watched(method, use.lease(), call));
            if (result instanceof CompletionStage<?> stage && method.isStage(stage)) {
                return StageResult.of(stage, method, use.lease(), failure -> {
                    warning.close();
                    return use.endAsync();
                });
            }
            method.requireEnded(result);
        } catch (Throwable failure) {
            warning.close();
            use.end();
            throw failure;
        }
        warning.close();
        method.report(use.end());
        return result;
    }

    @Nullable
    Object run(CurrentLease.Body<Object, Throwable> call) throws Throwable {
        boolean inTransaction = false;
        CompletableFuture<@Nullable Object> body = CompletableFuture.completedFuture(null);
        Object result;
        try {
            leases = ThreadLeases.add(use);
            inTransaction = TransactionEnd.isPending();
            warnOnLoss(method, lease);
            result = work.run(() -> CurrentLease.with(lease, () -> watched(method, lease, call)));
            if (result instanceof CompletionStage<?> stage && method.isStage(stage)) {
                body = new CompletableFuture<>();
                result = follow(stage, body, inTransaction);
            } else {
                method.requireEnded(result);
            }
        } catch (Throwable failure) {
            ended(failure);
            body.complete(null);
            end(body, inTransaction);
            throw failure;
        }
        if (body.isDone()) {
            work.ended(null);
        }
        method.report(end(body, inTransaction));
        return result;
    }

    /** Runs the body of the method, and applies the policy for a loss. */
    private static @Nullable Object watched(LockedMethod method, Lease lease, CurrentLease.Body<Object, Throwable> call)
            throws Throwable {
        return switch (method.onLost()) {
            case THROW -> {
                Object result = call.run();
                method.requireNotLost(lease);
                yield result;
            }
            case INTERRUPT -> interruptible(method, lease, call);
            case LOG -> call.run();
        };
    }

    private static @Nullable Object interruptible(
            LockedMethod method, Lease lease, CurrentLease.Body<Object, Throwable> call) throws Throwable {
        InterruptOnLoss interrupt = new InterruptOnLoss(lease);
        Object result;
        try {
            result = call.run();
        } catch (Throwable failure) {
            interrupt.end();
            throw lossBefore(method, lease, failure);
        }
        interrupt.end();
        method.requireNotLost(lease);
        return result;
    }

    private static Throwable lossBefore(LockedMethod method, Lease lease, Throwable failure) {
        Throwable lost = method.loss(lease);
        if (lost == null || lost == failure) {
            return failure;
        }
        lost.addSuppressed(failure);
        return lost;
    }

    /** Logs a loss, if that is the policy of the method, until the registration is closed or the lease has ended. */
    private static Registration warnOnLoss(LockedMethod method, Lease lease) {
        return method.onLost() == LossPolicy.LOG
                ? lease.onLost(loss -> LOG.log(Level.WARNING, method + " continues without its lock: " + loss))
                : () -> {};
    }

    /**
     * Returns a future that completes as the stage does, but after the release, unless a transaction or an inner call
     * delays that.
     */
    private CompletableFuture<?> follow(
            CompletionStage<?> stage, CompletableFuture<@Nullable Object> body, boolean inTransaction) {
        return StageResult.of(stage, method, lease, thrown -> {
            ended(thrown);
            CompletableFuture<@Nullable LeaseLostException> released =
                    inTransaction ? CompletableFuture.completedFuture(null) : use.endAsync();
            body.complete(null);
            return released;
        });
    }

    private void ended(@Nullable Throwable failure) {
        work.ended(failure);
        if (failure != null) {
            method.failed().add(use, failure);
        }
    }

    /**
     * Returns the loss that only the release has shown; null if there is none, or if a transaction postpones the
     * release.
     */
    private @Nullable LeaseLostException end(CompletableFuture<?> body, boolean inTransaction) {
        if (!inTransaction) {
            return leave(body);
        }
        try {
            reportTransaction();
            TransactionEnd.register(new LossCheck(method, lease), isCommitted -> leave(body, isCommitted));
            return null;
        } catch (Throwable failure) {
            leave(body);
            throw failure;
        }
    }

    private void leave(CompletableFuture<?> body, boolean isCommitted) {
        if (!isCommitted) {
            method.failed().add(use, null);
        }
        method.logLoss(leave(body));
    }

    private @Nullable LeaseLostException leave(CompletableFuture<?> body) {
        if (leases != null) {
            leases.remove(use);
        }
        if (body.isDone()) {
            return use.end();
        }
        body.thenCompose(none -> use.endAsync()).thenAccept(method::logLoss);
        return null;
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
