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
import io.holdfast.spring.proxy.AnnotatedMethods;
import io.holdfast.spring.proxy.ResultKind;
import io.holdfast.spring.use.LeaseUse;
import io.holdfast.spring.use.LockKey;
import io.holdfast.spring.use.ThreadLeases;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
        DistributedLock lock = method.lock(locks(), target, call.getArguments());
        if (method.result() == ResultKind.PUBLISHER) {
            return new ReactiveCall(method, lock, locks().key(lock), observer(), call).publisher();
        }
        LockKey key = locks().key(lock);
        Optional<LeaseUse> held = ThreadLeases.use(key, lock.isShared(), method.holdAtLeast());
        return held.isPresent()
                ? LockedCall.inner(method, held.get(), call)
                : invoke(new Request(method, lock, key, observer().waiting(lock, null)), call);
    }

    /** The result of an inherited method may depend on the class. */
    private LockedMethod method(Method specific, Class<?> type, MethodInvocation call) {
        return methods.computeIfAbsent(
                new MethodClassKey(specific, type),
                key -> new LockedMethod(specific, type, AnnotatedMethods.annotation(call, HoldfastLock.class), beans));
    }

    /** One request for a lock. */
    private record Request(LockedMethod method, DistributedLock lock, LockKey key, LockObserver.Wait observed) {}

    private static @Nullable Object invoke(Request request, MethodInvocation call) throws Throwable {
        Lease lease;
        try {
            lease = acquire(request, call.getMethod());
        } catch (LockTimeoutException | QuorumUnreachableException refusal) {
            return refused(request, refusal);
        } catch (Throwable failure) {
            request.observed().failed(failure);
            throw failure;
        }
        return new LockedCall(
                        request.method(),
                        LeaseUse.first(
                                lease,
                                request.key(),
                                LockInternals.time(request.lock()),
                                request.method().holdAtLeast()),
                        request.observed().granted(lease))
                .run(call);
    }

    /** Returns the lock for a call. One that does not wait for a holder, as a scheduled task, waits for nodes. */
    static Acquirable<Lease> requests(DistributedLock lock) {
        return lock.options().waitLimit().isZero() ? NodeWait.of(lock) : lock;
    }

    private static Lease acquire(Request request, Method method) throws InterruptedException {
        try {
            return requests(request.lock()).acquire();
        } catch (InterruptedException e) {
            if (List.of(method.getExceptionTypes()).contains(InterruptedException.class)) {
                throw e;
            }
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    request.method() + " did not run: its thread was interrupted while it waited for '"
                            + request.lock().resource() + "'",
                    e);
        }
    }

    /** Returns the result of a call whose lock was not granted. */
    private static @Nullable Object refused(Request request, HoldfastException refusal) throws Throwable {
        ResultKind result = request.method().result();
        Throwable failure = request.method().unlessSkipped(refusal, request.lock(), request.observed());
        if (failure == null) {
            return result.skipped();
        } else if (result == ResultKind.STAGE) {
            return CompletableFuture.failedFuture(failure);
        }
        throw failure;
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
