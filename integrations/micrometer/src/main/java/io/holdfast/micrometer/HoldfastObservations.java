package io.holdfast.micrometer;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.micrometer.LockObservationContext.Phase;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Observations of locks, from which tracers make spans: one of the wait for a lock, and one of the work under it. Both
 * are children of the present observation, and the work runs in the scope of the second.
 *
 * <ul>
 *   <li>The spans are {@code holdfast.acquire} and {@code holdfast.hold}. The names of the observations, which a meter
 *       handler uses, are {@code holdfast.lock.acquire} and {@code holdfast.lock.hold}, so that they do not collide
 *       with {@link HoldfastMetrics}.
 *   <li>Low cardinality: {@code lock}, which is the {@linkplain LockGroups group}, and {@code outcome}, which is {@link
 *       LockObservationContext#outcome}.
 *   <li>High cardinality: {@code holdfast.resource}, which is the name of the lock, and {@code holdfast.fence} once it
 *   is granted.
 * </ul>
 *
 * <p>A {@link LockObservationConvention} replaces them. An exception from a handler, a filter or a convention is
 * logged, and has no effect on the lock and the work. Thread-safe.
 */
public final class HoldfastObservations {

    private static final LockObservationConvention ACQUIRE = new DefaultLockObservationConvention(Phase.ACQUIRE);
    private static final LockObservationConvention HOLD = new DefaultLockObservationConvention(Phase.HOLD);

    private final ObservationRegistry registry;
    private final LockGroups groups;

    /** Creates observations with groups {@linkplain LockGroups#beforeColon before the first colon}. */
    public HoldfastObservations(ObservationRegistry registry) {
        this(registry, LockGroups.beforeColon());
    }

    /**
     * Creates observations.
     *
     * @param groups the groups of locks, which are the values of {@code lock}
     */
    public HoldfastObservations(ObservationRegistry registry, LockGroups groups) {
        this.registry = registry;
        this.groups = groups;
    }

    /**
     * Acquires the lock, runs the body, and releases the lock, as {@link DistributedLock#call} does, with an
     * observation of each phase.
     *
     * @return the result of the body
     * @throws LeaseLostException if the body returned, but the lease was lost while it ran
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over; the body did not run
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; the body did not run
     * @throws InterruptedException if the thread is interrupted while it waits; the body did not run
     * @throws IllegalStateException if the {@code Holdfast} is closed; the body did not run
     * @throws E if the body throws it; the lock is released
     */
    public <T extends @Nullable Object, E extends Exception> T call(
            DistributedLock lock, Acquirable.Body<Lease, T, E> body) throws E, InterruptedException {
        Waiting waiting = waiting(lock, null);
        try {
            return lock.call(lease -> this.<T, E>observed(waiting.granted(lease), lease, body));
        } catch (Throwable failure) {
            waiting.failed(failure);
            throw failure;
        }
    }

    private <T extends @Nullable Object, E extends Exception> T observed(
            Observation work, Lease lease, Acquirable.Body<Lease, T, E> body) throws E {
        // A handler that throws keeps its scope open, and the next work of this thread would belong to this one.
        Observation.Scope outer = registry.getCurrentObservationScope();
        HandlerGuard.run(work::start);
        Observation.Scope scope = HandlerGuard.get(Observation.Scope.NOOP, work::openScope);
        try {
            return body.apply(lease);
        } catch (Throwable failure) {
            HandlerGuard.run(() -> work.error(failure));
            throw failure;
        } finally {
            HandlerGuard.run(scope::close);
            registry.setCurrentObservationScope(outer);
            HandlerGuard.run(work::stop);
        }
    }

    /**
     * Acquires the lock, runs the body, and releases the lock; see {@link #call}.
     *
     * @throws LeaseLostException if the body returned, but the lease was lost while it ran
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over; the body did not run
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; the body did not run
     * @throws InterruptedException if the thread is interrupted while it waits; the body did not run
     * @throws IllegalStateException if the {@code Holdfast} is closed; the body did not run
     * @throws E if the body throws it; the lock is released
     */
    public <E extends Exception> void run(DistributedLock lock, Acquirable.Action<Lease, E> body)
            throws E, InterruptedException {
        this.<Lease, E>call(lock, lease -> {
            body.accept(lease);
            return lease;
        });
    }

    private Observation holding(Lease lease, @Nullable ObservationView parent) {
        LockObservationContext context = LockObservationContext.holding(lease, groups);
        context.setParentObservation(parent);
        return Observation.createNotStarted(null, HOLD, () -> context, registry);
    }

    /**
     * Starts an observation of a wait for the lock. The caller acquires the lock in its own way, and reports the end of
     * the wait.
     *
     * @param parent the parent of both phases; null: the present observation of this thread
     */
    public Waiting waiting(DistributedLock lock, @Nullable Observation parent) {
        return new Waiting(LockObservationContext.acquiring(lock, groups), parent);
    }

    /** An observation of the wait for a lock, which ends once. Thread-safe. */
    public final class Waiting {

        private final LockObservationContext context;
        private final Observation observation;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Waiting(LockObservationContext context, @Nullable Observation parent) {
            this.context = context;
            context.setParentObservation(parent);
            observation = HandlerGuard.get(
                    Observation.NOOP,
                    () -> Observation.createNotStarted(null, ACQUIRE, () -> context, registry)
                            .start());
        }

        /**
         * Ends the wait with a grant. Returns an observation of the work, with the same parent, which the caller starts
         * and stops, or gives its work.
         */
        public Observation granted(Lease lease) {
            if (ended.compareAndSet(false, true)) {
                context.granted(lease);
                HandlerGuard.run(observation::stop);
            }
            return HandlerGuard.get(Observation.NOOP, () -> holding(lease, context.getParentObservation()));
        }

        /** Ends the wait without a grant. Has no effect after the grant: the failure is then that of the work. */
        public void failed(Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                HandlerGuard.run(() -> observation.error(failure));
                context.refused(reason(failure));
                HandlerGuard.run(observation::stop);
            }
        }

        /**
         * Ends the wait for a held lock without a grant, as an outcome and not as an error. Has no effect after the
         * grant.
         */
        public void refused(LockTimeoutException refusal) {
            if (ended.compareAndSet(false, true)) {
                context.refused(reason(refusal));
                HandlerGuard.run(observation::stop);
            }
        }
    }

    private static String reason(Throwable failure) {
        if (failure instanceof LockTimeoutException timeout) {
            return timeout.hasSingleHolder() ? "held" : "tied";
        }
        return failure instanceof QuorumUnreachableException ? "unreachable" : "abandoned";
    }
}
