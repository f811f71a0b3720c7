package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockOptionsBuilder;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.LeaseState;
import io.holdfast.spring.attribute.AnnotatedDuration;
import io.holdfast.spring.attribute.LockName;
import io.holdfast.spring.proxy.MethodRejectedException;
import io.holdfast.spring.proxy.ResultKind;
import io.holdfast.spring.use.FailedCalls;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.GenericTypeResolver;

/** A method under a lock, as its annotation describes it. Thread-safe. */
final class LockedMethod {

    private static final System.Logger LOG = System.getLogger(HoldfastLock.class.getName());

    private final Method method;
    private final HoldfastLock annotation;
    private final LockName name;
    private final ResultKind result;
    private final Class<?> returnType;
    private final @Nullable Duration waitLimit;
    private final @Nullable Duration lease;
    private final @Nullable Duration holdLimit;
    private final Duration holdAtLeast;
    private final AtomicBoolean reported = new AtomicBoolean();
    private final FailedCalls failed = new FailedCalls();
    private volatile boolean checked;

    /**
     * Reads the annotation of a method.
     *
     * @param type the class of the bean
     * @throws MethodRejectedException if it cannot work on this method
     */
    LockedMethod(Method method, Class<?> type, HoldfastLock annotation, ConfigurableBeanFactory beans) {
        this.method = method;
        this.annotation = annotation;
        this.result = ResultKind.of(method, type);
        this.returnType = GenericTypeResolver.resolveReturnType(method, type);
        new ResultCheck(method, annotation, result, returnType).require(beans.getBeanClassLoader());
        try {
            this.name = LockName.of(annotation.value(), method, beans);
            this.waitLimit = AnnotatedDuration.limit("waitLimit", annotation.waitLimit(), beans);
            this.lease = AnnotatedDuration.of("lease", annotation.lease(), beans);
            this.holdLimit = AnnotatedDuration.limit("holdLimit", annotation.holdLimit(), beans);
            Duration atLeast = AnnotatedDuration.of("holdAtLeast", annotation.holdAtLeast(), beans);
            this.holdAtLeast = atLeast == null ? Duration.ZERO : atLeast;
        } catch (RuntimeException e) {
            throw new MethodRejectedException(
                    method, HoldfastLock.class, String.valueOf(e.getMessage()), "correct the annotation", e);
        }
    }

    /**
     * Checks the options, as far as they are known before the first call.
     *
     * @throws MethodRejectedException if they contradict each other
     */
    void check(LockFactory locks) {
        try {
            if (holdAtLeast.compareTo(locks.maxLease()) > 0) {
                throw new IllegalArgumentException(
                        "holdAtLeast " + holdAtLeast.toSeconds() + " s is longer than the longest lease of "
                                + locks.maxLease().toSeconds() + " s");
            }
            String known = name.literalStart().isBlank() ? "any" : name.literalStart();
            LockOptions options = options(locks.options(known));
            requireHoldLimit(options);
            locks.lock(known, options);
            checked = true;
        } catch (IllegalArgumentException e) {
            throw new MethodRejectedException(
                    method,
                    HoldfastLock.class,
                    String.valueOf(e.getMessage()),
                    "correct the annotation or the options of the lock",
                    e);
        }
    }

    /** The lease of a longer method is lost this margin before the limit, and the nodes do not keep a lost lock. */
    private void requireHoldLimit(LockOptions options) {
        if (holdAtLeast.compareTo(options.holdLimit().minus(options.margin())) > 0) {
            throw new IllegalArgumentException("holdAtLeast " + holdAtLeast.toMillis()
                    + " ms is longer than holdLimit " + options.holdLimit().toMillis() + " ms less its margin of "
                    + options.margin().toMillis() + " ms, when the lease is lost");
        }
    }

    /**
     * Returns the lock of a call.
     *
     * @throws MethodRejectedException before the first call, if the options contradict each other
     */
    DistributedLock lock(LockFactory locks, Object target, @Nullable Object[] arguments) {
        requireChecked(locks);
        String evaluated = name.evaluate(target, arguments);
        DistributedLock lock = locks.lock(evaluated, options(locks.options(evaluated)));
        return annotation.shared() ? lock.shared() : lock;
    }

    /** A rest that the nodes must not keep would be refused at the release, after the method. */
    private void requireChecked(LockFactory locks) {
        if (!checked) {
            check(locks);
        }
    }

    private LockOptions options(LockOptions defaults) {
        LockOptionsBuilder options = defaults.toBuilder();
        if (waitLimit != null) {
            options.waitLimit(waitLimit);
        } else if (annotation.onHeld() == RefusalPolicy.SKIP) {
            options.waitLimit(Duration.ZERO);
        }
        if (lease != null) {
            options.lease(lease);
        }
        if (holdLimit != null) {
            options.holdLimit(holdLimit);
        }
        return options.fair(annotation.fair() || defaults.fair()).build();
    }

    ResultKind result() {
        return result;
    }

    Class<?> returnType() {
        return returnType;
    }

    /**
     * Ends the wait of a call that has failed before it had its lock, and logs a call that does not run although the
     * policy is {@code SKIP}.
     *
     * @return the failure of the call; null if it is skipped
     */
    @Nullable
    Throwable unlessSkipped(Throwable refusal, DistributedLock lock, LockObserver.Wait wait) {
        Throwable failure = failure(refusal, lock.resource());
        if (failure == null && refusal instanceof LockTimeoutException held) {
            wait.skipped(held);
        } else {
            wait.failed(refusal);
        }
        return failure;
    }

    private @Nullable Throwable failure(Throwable refusal, String resource) {
        if (policy(refusal) == RefusalPolicy.THROW) {
            return refusal;
        }
        boolean isHeld = refusal instanceof LockTimeoutException;
        Throwable repeated = isHeld ? failed.repeated(toString(), resource) : null;
        if (repeated != null) {
            LOG.log(Level.WARNING, repeated::getMessage);
        } else {
            LOG.log(isHeld ? Level.DEBUG : Level.WARNING, () -> this + " was skipped: " + refusal.getMessage());
        }
        return repeated;
    }

    private RefusalPolicy policy(Throwable refusal) {
        if (refusal instanceof LockTimeoutException) {
            return annotation.onHeld();
        }
        return refusal instanceof QuorumUnreachableException ? annotation.onUnreachable() : RefusalPolicy.THROW;
    }

    LossPolicy onLost() {
        return annotation.onLost();
    }

    /**
     * Throws if the result of the method ends later although the method declares another one, such as {@code Object}.
     */
    void requireEnded(@Nullable Object result) {
        boolean declaresValue = result() == ResultKind.VALUE || result() == ResultKind.OPTIONAL;
        if (declaresValue && ResultKind.endsLater(result)) {
            throw new MethodRejectedException(
                    method,
                    HoldfastLock.class,
                    "its result ends after the lock is released, although the declared type does not say so",
                    "declare CompletableFuture, Mono or Flux as its result, or wait for the result");
        }
    }

    /** Returns {@code true} for a stage that may be replaced by another one, which completes after the release. */
    boolean isStage(CompletionStage<?> stage) {
        return result() == ResultKind.STAGE
                || (result() == ResultKind.VALUE
                        && method.getReturnType().isAssignableFrom(CompletableFuture.class)
                        && ResultKind.endsLater(stage));
    }

    /**
     * Throws if the lease was lost, unless that is only logged. A lease that the method itself has released is fine.
     */
    void requireNotLost(Lease held) {
        if (held.state() == LeaseState.LOST && onLost() != LossPolicy.LOG) {
            held.ensureValidFor(Duration.ZERO);
        }
    }

    /** Returns the exception of {@link #requireNotLost}; null if there is none. */
    @Nullable
    RuntimeException loss(Lease held) {
        try {
            requireNotLost(held);
            return null;
        } catch (RuntimeException lost) {
            return lost;
        }
    }

    /** Throws the loss that only the release has shown, or logs it. */
    void report(@Nullable LeaseLostException atRelease) {
        if (atRelease != null && onLost() != LossPolicy.LOG) {
            throw atRelease;
        }
        logLoss(atRelease);
    }

    /** Logs the loss that only the release has shown, if there is one. */
    void logLoss(@Nullable LeaseLostException atRelease) {
        if (atRelease != null) {
            LOG.log(Level.WARNING, this + " has ended without its lock: " + atRelease.getMessage());
        }
    }

    /** Returns the calls that have failed. */
    FailedCalls failed() {
        return failed;
    }

    /** Returns the time from the grant for which the nodes have to keep the lock. */
    Duration holdAtLeast() {
        return holdAtLeast;
    }

    /**
     * Returns {@code true} for the first call of this method: the time to report something once for each locked method.
     */
    boolean isFirstReport() {
        return reported.compareAndSet(false, true);
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
