package io.holdfast.spring.boot.metrics;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import io.holdfast.micrometer.HoldfastObservations;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.LockObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes observations of Micrometer of the locks of annotated methods. Thread-safe. */
final class ObservedLocks implements LockObserver {

    private final HoldfastObservations observations;

    ObservedLocks(HoldfastObservations observations) {
        this.observations = observations;
    }

    @Override
    public Wait waiting(DistributedLock lock, @Nullable Object parent) {
        HoldfastObservations.Waiting waiting =
                observations.waiting(lock, parent instanceof Observation observation ? observation : null);
        return new Wait() {
            @Override
            public void failed(Throwable failure) {
                waiting.failed(failure);
            }

            @Override
            public void skipped(LockTimeoutException held) {
                waiting.refused(held);
            }

            @Override
            public Work granted(Lease lease) {
                return new ObservedWork(waiting.granted(lease).start());
            }
        };
    }

    /** The work under a lock. */
    private static final class ObservedWork implements Work {

        private final Observation observation;
        private final AtomicBoolean ended = new AtomicBoolean();

        ObservedWork(Observation observation) {
            this.observation = observation;
        }

        @Override
        public <T, E extends Throwable> @Nullable T run(CurrentLease.Body<T, E> body) throws E {
            ObservationRegistry registry = observation.getObservationRegistry();
            Observation.Scope outer = registry.getCurrentObservationScope();
            try {
                return inScope(body);
            } finally {
                // A handler that throws keeps its scope open, and the next work of this thread would belong to this
                // one.
                registry.setCurrentObservationScope(outer);
            }
        }

        private <T, E extends Throwable> @Nullable T inScope(CurrentLease.Body<T, E> body) throws E {
            Observation.Scope scope = observation.openScope();
            try {
                return body.run();
            } finally {
                scope.close();
            }
        }

        @Override
        public Object context() {
            return observation;
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            try {
                if (failure != null) {
                    observation.error(failure);
                }
            } finally {
                observation.stop();
            }
        }
    }
}
