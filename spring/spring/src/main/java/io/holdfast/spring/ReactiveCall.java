package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.reactor.ReactorLocks;
import io.holdfast.spi.LockInternals;
import io.holdfast.spring.job.MethodRun;
import io.holdfast.spring.job.ReactiveRun;
import io.holdfast.spring.use.CallLocks;
import io.holdfast.spring.use.CoroutineMono;
import io.holdfast.spring.use.LeaseUse;
import io.holdfast.spring.use.LockKey;
import io.holdfast.spring.use.ReactiveTransaction;
import io.holdfast.spring.use.SuspendedCall;
import io.holdfast.spring.use.ThreadLeases;
import io.holdfast.spring.use.ThrownError;
import io.holdfast.spring.use.TransactionEnd;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
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
    private final List<String> names;
    private final LockFactory locks;
    private final LockObserver observer;
    private final ProxyMethodInvocation call;

    ReactiveCall(
            LockedMethod method, List<String> names, LockFactory locks, LockObserver observer, MethodInvocation call) {
        this.method = method;
        this.names = names;
        this.locks = locks;
        this.observer = observer;
        this.call = (ProxyMethodInvocation) call;
    }

    /** Returns {@code true} if methods that return publishers can have a lock. */
    static boolean isSupported(@Nullable ClassLoader loader) {
        return ClassUtils.isPresent("io.holdfast.reactor.ReactorLocks", loader);
    }

    /** Returns {@code true} if suspending functions of Kotlin can have a lock. */
    static boolean supportsCoroutines(@Nullable ClassLoader loader) {
        return isSupported(loader)
                && Stream.of("kotlinx.coroutines.reactor.MonoKt", "kotlin.reflect.full.KClasses")
                        .allMatch(needed -> ClassUtils.isPresent(needed, loader));
    }

    /** Returns the publisher of the method under its locks. */
    Publisher<?> publisher() {
        if (method.isSuspending()) {
            return Mono.defer(this::suspending);
        }
        Flux<Object> locked = Flux.defer(() -> new Attempt().locked());
        return Mono.class.isAssignableFrom(method.returnType()) ? locked.singleOrEmpty() : locked;
    }

    private Mono<Object> suspending() {
        Attempt attempt = new Attempt();
        SuspendedCall coroutine = new SuspendedCall(attempt);
        attempt.coroutine = coroutine;
        return CoroutineMono.of(attempt.locked().singleOrEmpty(), coroutine);
    }

    /** One subscription, which acquires each of its locks under those before it. */
    private final class Attempt implements SuspendedCall.Scope {

        private final CallLocks held = new CallLocks(method.holdAtLeast());
        private final Optional<MethodRun> run = method.begin(locks);
        /** Why a lock was not granted; null if all were. */
        private volatile @Nullable Throwable refusal;
        /** With what the publisher fails then; null if the call is skipped. */
        private volatile @Nullable Throwable failure;

        private @Nullable SuspendedCall coroutine;

        Flux<Object> locked() {
            return under(names)
                    .doOnError(thrown -> run.ifPresent(once -> once.failed(ThrownError.unwrap(thrown))))
                    .onErrorResume(thrown -> thrown == refusal, thrown -> refused())
                    .onErrorMap(ThrownError::unwrap);
        }

        private Flux<Object> under(List<String> left) {
            return Flux.deferContextual(
                    context -> new Step(this, left.get(0), left.subList(1, left.size())).subscribed(context));
        }

        private Flux<Object> refused() {
            Throwable thrown = failure;
            if (thrown == null) {
                return Flux.empty();
            }
            return method.hasFallback(thrown) ? ThrownError.wrap(() -> fallback(thrown)) : Flux.error(thrown);
        }

        @SuppressWarnings("unchecked")
        private Publisher<Object> fallback(Throwable thrown) {
            try {
                return required((Publisher<Object>)
                        method.fallback(Objects.requireNonNull(call.getThis()), call.getArguments(), thrown));
            } catch (Throwable ofFallback) {
                throw Exceptions.propagate(ofFallback);
            }
        }

        private Publisher<Object> required(@Nullable Publisher<Object> result) {
            return Objects.requireNonNull(result, () -> method + " returned null instead of a publisher");
        }

        private Publisher<Object> proceed() {
            held.begin();
            return required(proceed(held.uses()));
        }

        private @Nullable Publisher<Object> proceed(List<LeaseUse> left) {
            if (left.isEmpty()) {
                return coroutine == null ? ReactiveCall.proceed(call.invocableClone()) : proceed(coroutine);
            }
            // An ordinary method with the same lock that the method calls would otherwise wait for its caller.
            LeaseUse use = left.get(0);
            ThreadLeases leases = ThreadLeases.add(use);
            try {
                return CurrentLease.with(use.lease(), () -> proceed(left.subList(1, left.size())));
            } finally {
                leases.remove(use);
            }
        }

        private @Nullable Publisher<Object> proceed(SuspendedCall suspended) {
            return suspended.begin()
                    ? ReactiveCall.proceed(call.invocableClone(suspended.arguments(call.getArguments())))
                    : Mono.error(new CancellationException("The caller was cancelled"));
        }

        @Override
        public @Nullable Object enter() {
            return CurrentLease.enter(held.uses().stream().map(LeaseUse::lease).toList());
        }

        @Override
        public void leave(@Nullable Object before) {
            CurrentLease.leave(before);
        }
    }

    /** An invocation proceeds once, and there may be several subscribers. Aspects look for theirs on this thread. */
    @SuppressWarnings("unchecked")
    private static @Nullable Publisher<Object> proceed(MethodInvocation clone) {
        try {
            return (Publisher<Object>) ExposeInvocationInterceptor.INSTANCE.invoke(clone);
        } catch (Throwable failure) {
            throw Exceptions.propagate(failure);
        }
    }

    /** The acquisition of one lock, and what runs under it. */
    private final class Step {

        private final Attempt attempt;
        private final List<String> left;
        private final DistributedLock lock;
        /** Of the use of the lease in the context of a subscriber, by which methods that call each other share it. */
        private final LockKey key;

        private final AtomicReference<@Nullable LeaseUse> granted = new AtomicReference<>();

        Step(Attempt attempt, String name, List<String> left) {
            this.attempt = attempt;
            this.left = left;
            this.lock = method.lock(locks, name, attempt.held.waited());
            this.key = locks.key(lock);
        }

        Publisher<Object> subscribed(ContextView context) {
            attempt.held.request(LockInternals.time(lock));
            Optional<LeaseUse> outer =
                    context.<LeaseUse>getOrEmpty(key).filter(use -> use.lease().isValid());
            outer.ifPresent(use -> ThreadLeases.requireCompatible(use.lease(), lock.isShared()));
            // A method of this thread that blocks until the end of the publisher would wait for itself.
            Optional<LeaseUse> inner =
                    outer.isPresent() ? outer.flatMap(LeaseUse::another) : ThreadLeases.use(key, lock.isShared());
            if (inner.isPresent() && attempt.run.isPresent()) {
                inner.get().endAsync();
                throw method.notAlone(lock.resource(), "its caller holds that; use another name");
            } else if (inner.isPresent()) {
                LeaseUse use = inner.get();
                attempt.held.add(use);
                return body(LockObserver.Work.UNOBSERVED)
                        .contextWrite(known -> inner(known, use, LockObserver.Work.UNOBSERVED))
                        .doFinally(end -> use.endAsync());
            }
            return requireNoTransaction()
                    .thenMany(
                            Flux.defer(() -> locked(observer.waiting(lock, context.getOrDefault(OBSERVATION, null)))));
        }

        /** The lock would be released before the commit. */
        private Mono<Object> requireNoTransaction() {
            return TransactionEnd.KNOWS_TRANSACTIONS
                    ? ReactiveTransaction.isActive()
                            .flatMap(active -> active ? Mono.error(inTransaction()) : Mono.empty())
                    : Mono.empty();
        }

        private IllegalStateException inTransaction() {
            return new IllegalStateException(method + " did not run: the transaction of its subscriber would be"
                    + " committed after the release of '" + lock.resource()
                    + "'; put the annotation on the method that begins the transaction");
        }

        /** Runs the method, or what acquires its other locks. */
        private Flux<Object> body(LockObserver.Work work) {
            if (!left.isEmpty()) {
                return attempt.under(left);
            }
            Flux<Object> body = ThrownError.wrap(() -> attempt.required(work.run(attempt::proceed)));
            return attempt.run
                    .map(run -> ReactiveRun.of(run, attempt.held, body))
                    .orElse(body);
        }

        private Flux<Object> locked(LockObserver.Wait wait) {
            return ReactorLocks.using(
                            HoldfastLockInterceptor.requests(lock), (Lease lease) -> held(lease, wait.granted(lease)))
                    .doOnError(failure -> granted.get() == null, failure -> refused(failure, wait))
                    .doOnCancel(() -> cancelled(wait));
        }

        private void refused(Throwable thrown, LockObserver.Wait wait) {
            attempt.failure = method.unlessSkipped(thrown, lock, wait);
            attempt.refusal = thrown;
        }

        /** Called before the cancellation reaches the method, and before the lease is released without a rest. */
        private void cancelled(LockObserver.Wait wait) {
            CancellationException cancelled = new CancellationException("The subscriber cancelled the request");
            wait.failed(cancelled);
            LeaseUse use = granted.get();
            if (use != null && !use.rest().isZero()) {
                // A subscriber of a Flux may cancel it because it has all it wanted.
                if (Mono.class.isAssignableFrom(method.returnType())) {
                    method.failed().add(use, cancelled);
                }
                use.release();
            }
        }

        private Flux<Object> held(Lease lease, LockObserver.Work work) {
            LeaseUse use = LeaseUse.first(lease, key, LockInternals.time(lock));
            granted.set(use);
            attempt.held.add(use);
            method.failed().forget(lease.resource());
            return retaining(
                            use, body(work).doOnError(failure -> method.failed().add(use, ThrownError.unwrap(failure))))
                    .doOnError(failure -> work.ended(ThrownError.unwrap(failure)))
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
