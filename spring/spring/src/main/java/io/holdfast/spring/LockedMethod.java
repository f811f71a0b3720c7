package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.LeaseState;
import io.holdfast.spring.attribute.AnnotatedOptions;
import io.holdfast.spring.attribute.CallCondition;
import io.holdfast.spring.attribute.Fallback;
import io.holdfast.spring.attribute.LockName;
import io.holdfast.spring.job.MethodRun;
import io.holdfast.spring.job.OncePer;
import io.holdfast.spring.proxy.MethodRejectedException;
import io.holdfast.spring.proxy.ResultKind;
import io.holdfast.spring.use.FailedCalls;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
    private final CallCondition condition;
    private final Optional<Fallback> fallback;
    private final Optional<OncePer> oncePer;
    private final ResultKind result;
    private final Class<?> returnType;
    private final AnnotatedOptions durations;
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
            this.condition = CallCondition.of(annotation.condition(), method, beans);
            this.oncePer = OncePer.of(annotation.oncePer(), method, toString(method), beans);
            this.fallback = Fallback.of(annotation.fallback(), method, type);
            this.durations = AnnotatedOptions.of(
                    annotation.waitLimit(),
                    annotation.lease(),
                    annotation.holdLimit(),
                    annotation.holdAtLeast(),
                    beans);
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
            String known = name.literalStart().isBlank() ? "any" : name.literalStart();
            LockOptions options = options(locks.options(known));
            durations.requireKept(options, locks.maxLease());
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

    /** Returns {@code true} if a call needs its locks. */
    boolean needsLocks(Object target, @Nullable Object[] arguments) {
        return condition.holds(target, arguments);
    }

    /**
     * Returns the names of the locks of a call, in the order in which they are acquired.
     *
     * @throws MethodRejectedException before the first call, if the options contradict each other
     */
    List<String> names(LockFactory locks, Object target, @Nullable Object[] arguments) {
        if (!checked) {
            check(locks);
        }
        List<String> names = name.evaluate(target, arguments);
        if (oncePer.isPresent() && names.size() > 1) {
            throw new IllegalArgumentException(this + " did not run: oncePer needs one lock, not " + names);
        }
        return names;
    }

    /** Begins a call of a method that succeeds once per period; empty for other methods. */
    Optional<MethodRun> begin(LockFactory locks) {
        return oncePer.map(period -> period.begin(locks.clock()));
    }

    /** Returns the failure of a once-per-period call under the lock or within the transaction of its caller. */
    IllegalStateException notAlone(String resource, String reason) {
        return new IllegalStateException(
                this + " did not run: oncePer counts its success when '" + resource + "' is released, but " + reason);
    }

    /**
     * Returns a lock of a call.
     *
     * @param waited the time that the call has waited for its other locks
     */
    DistributedLock lock(LockFactory locks, String evaluated, Duration waited) {
        LockOptions options = AnnotatedOptions.after(waited, options(locks.options(evaluated)));
        DistributedLock lock = locks.lock(evaluated, options);
        return annotation.shared() ? lock.shared() : lock;
    }

    private LockOptions options(LockOptions defaults) {
        Duration skipped = annotation.onHeld() == RefusalPolicy.SKIP ? Duration.ZERO : null;
        return durations.over(defaults, oncePer.isPresent() ? LockOptions.FOREVER : skipped, annotation.fair());
    }

    ResultKind result() {
        return result;
    }

    /** Returns {@code true} for a suspending function of Kotlin. */
    boolean isSuspending() {
        return ResultKind.isSuspending(method);
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
        boolean isThrown = policy(refusal) == RefusalPolicy.THROW;
        if (isThrown && !hasFallback(refusal)) {
            return refusal;
        }
        boolean isHeld = refusal instanceof LockTimeoutException;
        Throwable repeated = isHeld ? failed.repeated(toString(), resource) : null;
        if (repeated != null) {
            LOG.log(Level.WARNING, repeated::getMessage);
            return repeated;
        } else if (isThrown) {
            return refusal;
        }
        LOG.log(isHeld ? Level.DEBUG : Level.WARNING, () -> this + " was skipped: " + refusal.getMessage());
        return null;
    }

    /** Returns {@code true} if the fallback runs for a failure of a call that has not been skipped. */
    boolean hasFallback(Throwable failure) {
        return fallback.filter(method -> method.handles(failure)).isPresent();
    }

    /** Runs the fallback for a failure that it handles. */
    @Nullable
    Object fallback(Object target, @Nullable Object[] arguments, Throwable refusal) throws Throwable {
        return fallback.orElseThrow().call(target, arguments, refusal);
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
        return durations.holdAtLeast();
    }

    /**
     * Returns {@code true} for the first call of this method: the time to report something once for each locked method.
     */
    boolean isFirstReport() {
        return reported.compareAndSet(false, true);
    }

    @Override
    public String toString() {
        return toString(method);
    }

    private static String toString(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
