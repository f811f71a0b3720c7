package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.reactor.ReactorLocks;
import io.holdfast.spi.LockInternals;
import io.holdfast.spring.use.LeaseUse;
import io.holdfast.spring.use.LockKey;
import io.holdfast.spring.use.ThreadLeases;
import io.holdfast.spring.use.TransactionEnd;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One call of a method that returns a publisher. Each subscription acquires the lock, runs the method, and holds the
 * lock until the publisher has ended. Loaded only where {@code holdfast-reactor} is on the class path.
 */
final class ReactiveCall {

    /** The key under which Micrometer's observation is in the context of a subscriber. */
    private static final String OBSERVATION = "micrometer.observation";

    private final LockedMethod method;
    private final DistributedLock lock;
    /**
     * The key of the use of the lease in the context of a subscriber, by which methods that call each other share it.
     */
    private final LockKey key;

    private final LockObserver observer;
    private final ProxyMethodInvocation call;

    ReactiveCall(LockedMethod method, DistributedLock lock, LockKey key, LockObserver observer, MethodInvocation call) {
        this.method = method;
        this.lock = lock;
        this.key = key;
        this.observer = observer;
        this.call = (ProxyMethodInvocation) call;
    }

    /** Returns {@code true} if methods that return publishers can have a lock. */
    static boolean isSupported(@Nullable ClassLoader loader) {
        return ClassUtils.isPresent("io.holdfast.reactor.ReactorLocks", loader);
    }

    /** Returns the publisher of the method under its lock. */
    Publisher<?> publisher() {
        Flux<Object> locked = Flux.deferContextual(this::subscribed);
        return Mono.class.isAssignableFrom(method.returnType()) ? locked.singleOrEmpty() : locked;
    }

    private Publisher<Object> subscribed(ContextView context) {
        Optional<LeaseUse> held =
                context.<LeaseUse>getOrEmpty(key).filter(use -> use.lease().isValid());
        held.ifPresent(use -> ThreadLeases.requireCompatible(use.lease(), lock.isShared()));
        Optional<LeaseUse> inner = held.flatMap(use -> use.another(method.holdAtLeast()));
        if (inner.isPresent()) {
            LeaseUse use = inner.get();
            return body(use, LockObserver.Work.UNOBSERVED).doFinally(end -> use.endAsync());
        }
        return requireNoTransaction().thenMany(Flux.defer(() -> new Subscription(context).locked()));
    }

    /** The lock would be released before the commit. */
    private Mono<Object> requireNoTransaction() {
        return TransactionEnd.KNOWS_TRANSACTIONS
                ? Transactions.isActive().flatMap(active -> active ? Mono.error(inTransaction()) : Mono.empty())
                : Mono.empty();
    }

    private IllegalStateException inTransaction() {
        return new IllegalStateException(method + " did not run: the transaction of its subscriber would be committed"
                + " after the release of '" + lock.resource()
                + "'; put the annotation on the method that begins the transaction");
    }

    /** Loaded only where Spring's transactions are on the class path. */
    private static final class Transactions {

        private Transactions() {}

        static Mono<Boolean> isActive() {
            return TransactionSynchronizationManager.forCurrentTransaction()
                    .map(TransactionSynchronizationManager::isActualTransactionActive)
                    .onErrorReturn(NoTransactionException.class, false);
        }
    }

    /** Runs the method itself. */
    private Flux<Object> body(LeaseUse use, LockObserver.Work work) {
        return Flux.defer(() -> Objects.requireNonNull(
                work.run(() -> proceed(use)), () -> method + " returned null instead of a publisher"));
    }

    private @Nullable Publisher<Object> proceed(LeaseUse use) {
        // An ordinary method with the same lock that the method calls would otherwise wait for its caller.
        ThreadLeases leases = ThreadLeases.add(use);
        try {
            return CurrentLease.with(use.lease(), this::proceed);
        } finally {
            leases.remove(use);
        }
    }

    @SuppressWarnings("unchecked")
    private @Nullable Publisher<Object> proceed() {
        try {
            // An invocation proceeds once, and there may be several subscribers. Aspects look for theirs on this
            // thread.
            return (Publisher<Object>) ExposeInvocationInterceptor.INSTANCE.invoke(call.invocableClone());
        } catch (Throwable failure) {
            throw Exceptions.propagate(failure);
        }
    }

    /** One subscription that acquires the lock. */
    private final class Subscription {

        private final LockObserver.Wait wait;
        private final AtomicReference<@Nullable LeaseUse> granted = new AtomicReference<>();

        Subscription(ContextView context) {
            this.wait = observer.waiting(lock, context.getOrDefault(OBSERVATION, null));
        }

        Flux<Object> locked() {
            return ReactorLocks.using(HoldfastLockInterceptor.requests(lock), this::held)
                    .onErrorResume(failure -> granted.get() == null, this::refused)
                    .doOnCancel(this::cancelled);
        }

        private Publisher<Object> refused(Throwable failure) {
            Throwable unlessSkipped = method.unlessSkipped(failure, lock, wait);
            return unlessSkipped == null ? Flux.empty() : Flux.error(unlessSkipped);
        }

        /** Called before the cancellation reaches the method, and before the lease is released without a rest. */
        private void cancelled() {
            CancellationException cancelled = new CancellationException("The subscriber cancelled the request");
            wait.failed(cancelled);
            LeaseUse use = granted.get();
            if (use != null && !use.rest().isZero()) {
                addCancelled(use, cancelled);
                use.release();
            }
        }

        /** A subscriber of a {@code Flux} may cancel it because it has all it wanted. */
        private void addCancelled(LeaseUse use, CancellationException cancelled) {
            if (Mono.class.isAssignableFrom(method.returnType())) {
                method.failed().add(use, cancelled);
            }
        }

        private Flux<Object> held(Lease lease) {
            LeaseUse use = LeaseUse.first(lease, key, LockInternals.time(lock), method.holdAtLeast());
            granted.set(use);
            method.failed().forget(lease.resource());
            LockObserver.Work work = wait.granted(lease);
            return retaining(
                            use,
                            body(use, work).doOnError(failure -> method.failed().add(use, failure)))
                    .doOnError(work::ended)
                    // Before the subscriber learns of the end, since an outer method may end at once then.
                    .doOnComplete(() -> work.ended(null))
                    .doFinally(end -> work.ended(null))
                    .contextWrite(outer -> inner(outer, use, work));
        }

        private Context inner(Context outer, LeaseUse use, LockObserver.Work work) {
            Context leases = outer.put(Lease.class, use.lease()).put(key, use);
            Object observation = work.context();
            return observation == null ? leases : leases.put(OBSERVATION, observation);
        }

        /** Releases the lease after all uses, with the rest of the shortest time, before it is released without one. */
        private Flux<Object> retaining(LeaseUse use, Flux<Object> body) {
            Mono<LeaseLostException> release = Mono.fromFuture(use::endAfterOthers, true);
            return body.concatWith(release.flatMap(Mono::error))
                    .onErrorResume(failure -> release.then(Mono.error(failure)));
        }
    }
}
