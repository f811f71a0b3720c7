package io.holdfast.spring;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.spi.LockInternals;
import io.holdfast.spi.NodeWait;
import io.holdfast.spring.job.MethodRun;
import io.holdfast.spring.proxy.AnnotatedMethods;
import io.holdfast.spring.proxy.ResultKind;
import io.holdfast.spring.use.CallLocks;
import io.holdfast.spring.use.LeaseUse;
import io.holdfast.spring.use.LockKey;
import io.holdfast.spring.use.ThreadLeases;
import io.holdfast.spring.use.TransactionEnd;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;

/** Acquires the lock of an annotated method before each call. Thread-safe. */
final class HoldfastLockInterceptor implements MethodInterceptor {

    private final ConfigurableListableBeanFactory beans;
    private final Map<MethodClassKey, LockedMethod> methods = new ConcurrentHashMap<>();

    /** Found at the first call: a proxy is created earlier than the client. */
    private volatile @Nullable LockFactory locks;

    private volatile @Nullable LockObserver observer;

    HoldfastLockInterceptor(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = Objects.requireNonNull(call.getThis());
        LockedMethod method = method(AnnotatedMethods.method(call), AnnotatedMethods.type(call), call);
        if (!method.needsLocks(target, call.getArguments())) {
            return call.proceed();
        }
        List<String> names = method.names(locks(), target, call.getArguments());
        return method.result() == ResultKind.PUBLISHER
                ? new ReactiveCall(method, names, locks(), observer(), call).publisher()
                : new Attempt(method, names, call).run();
    }

    /** The result of an inherited method may depend on the class. */
    private LockedMethod method(Method specific, Class<?> type, MethodInvocation call) {
        return methods.computeIfAbsent(
                new MethodClassKey(specific, type),
                key -> new LockedMethod(specific, type, AnnotatedMethods.annotation(call, HoldfastLock.class), beans));
    }

    /** Returns the lock for a call. One that does not wait for a holder, as a scheduled task, waits for nodes. */
    static Acquirable<Lease> requests(DistributedLock lock) {
        return lock.options().waitLimit().isZero() ? NodeWait.of(lock) : lock;
    }

    /** One call, which acquires each of its locks under those before it. Used by its thread only. */
    private final class Attempt {

        private final LockedMethod method;
        private final List<String> names;
        private final MethodInvocation call;
        private final CallLocks held;
        /** Empty if the method runs in each call. */
        private final Optional<MethodRun> run;
        /** Why a lock was not granted; null if all were, or if the call failed for another reason. */
        private @Nullable HoldfastException refusal;
        /** With what the call fails then; null if it is skipped. */
        private @Nullable Throwable failure;

        Attempt(LockedMethod method, List<String> names, MethodInvocation call) {
            this.method = method;
            this.names = names;
            this.call = call;
            this.held = new CallLocks(method.holdAtLeast());
            this.run = method.begin(locks());
        }

        @Nullable
        Object run() throws Throwable {
            try {
                return under(names);
            } catch (LockTimeoutException | QuorumUnreachableException thrown) {
                // The method itself may throw one, of a lock that it acquires.
                if (thrown != refusal) {
                    throw thrown;
                }
                return refused();
            }
        }

        /** Runs the method under the locks with these names. */
        private @Nullable Object under(List<String> left) throws Throwable {
            if (left.isEmpty()) {
                held.begin();
                return run.isPresent() ? once(run.get()) : call.proceed();
            }
            DistributedLock lock = method.lock(locks(), left.get(0), held.waited());
            LockKey key = locks().key(lock);
            held.request(LockInternals.time(lock));
            CurrentLease.Body<Object, Throwable> rest = () -> under(left.subList(1, left.size()));
            Optional<LeaseUse> outer = ThreadLeases.use(key, lock.isShared());
            if (run.isPresent()) {
                requireAlone(lock, outer);
            }
            if (outer.isPresent()) {
                held.add(outer.get());
                return LockedCall.inner(method, outer.get(), rest);
            }
            LockObserver.Wait wait = observer().waiting(lock, null);
            Lease lease = acquire(lock, wait);
            LeaseUse use = LeaseUse.first(lease, key, LockInternals.time(lock));
            LockedCall locked = new LockedCall(method, use, wait.granted(lease));
            held.add(use);
            return run.isPresent() ? corrected(run.get(), locked, rest) : locked.run(rest);
        }

        private void requireAlone(DistributedLock lock, Optional<LeaseUse> outer) {
            outer.ifPresent(LeaseUse::end);
            if (outer.isPresent()) {
                throw method.notAlone(lock.resource(), "its caller holds that; use another name");
            } else if (TransactionEnd.isPending()) {
                throw method.notAlone(
                        lock.resource(),
                        "its caller has a transaction; put the annotation on the method that begins it");
            }
        }

        /** Runs the method unless it has succeeded in its period. */
        private @Nullable Object once(MethodRun once) throws Throwable {
            LeaseUse use = held.uses().get(0);
            if (!interruptible(use.lease().resource(), () -> once.starts(use.lease(), held.waited()))) {
                return method.result().skipped();
            }
            Object result;
            try {
                result = call.proceed();
                if (result instanceof CompletionStage<?> stage && method.isStage(stage)) {
                    return once.following(stage);
                }
                method.requireEnded(result);
            } catch (Throwable thrown) {
                once.ended(thrown);
                throw thrown;
            }
            once.ended(null);
            return result;
        }

        private @Nullable Object corrected(MethodRun once, LockedCall locked, CurrentLease.Body<Object, Throwable> rest)
                throws Throwable {
            try {
                Object result = locked.run(rest);
                if (result instanceof CompletableFuture<?> future) {
                    future.whenComplete((value, thrown) -> once.failed(thrown));
                }
                return result;
            } catch (Throwable thrown) {
                once.failed(thrown);
                throw thrown;
            }
        }

        private Lease acquire(DistributedLock lock, LockObserver.Wait wait) throws Exception {
            try {
                return interruptible(lock.resource(), requests(lock)::acquire);
            } catch (LockTimeoutException | QuorumUnreachableException thrown) {
                refusal = thrown;
                failure = method.unlessSkipped(thrown, lock, wait);
                throw thrown;
            } catch (Throwable thrown) {
                wait.failed(thrown);
                throw thrown;
            }
        }

        private <T> T interruptible(String resource, Callable<T> step) throws Exception {
            try {
                return step.call();
            } catch (InterruptedException e) {
                if (List.of(call.getMethod().getExceptionTypes()).contains(InterruptedException.class)) {
                    throw e;
                }
                Thread.currentThread().interrupt();
                throw new IllegalStateException(
                        method + " did not run: its thread was interrupted while it waited for '" + resource + "'", e);
            }
        }

        /** Returns the result of a call whose lock was not granted. */
        private @Nullable Object refused() throws Throwable {
            if (failure == null) {
                return method.result().skipped();
            } else if (method.hasFallback(failure)) {
                return method.fallback(Objects.requireNonNull(call.getThis()), call.getArguments(), failure);
            } else if (method.result() == ResultKind.STAGE) {
                return CompletableFuture.failedFuture(failure);
            }
            throw failure;
        }
    }

    private LockFactory locks() {
        LockFactory found = locks;
        if (found == null) {
            found = factory(beans);
            locks = found;
        }
        return found;
    }

    private LockObserver observer() {
        LockObserver found = observer;
        if (found == null) {
            found = new GuardedObserver(
                    beans.getBeanProvider(LockObserver.class).getIfAvailable(() -> LockObserver.NONE));
            observer = found;
        }
        return found;
    }

    /** Returns the factory of an application: its bean, or one with the defaults. */
    static LockFactory factory(ConfigurableBeanFactory beans) {
        return beans.getBeanProvider(LockFactory.class)
                .getIfAvailable(() -> new LockFactory(beans.getBean(Holdfast.class)));
    }
}
