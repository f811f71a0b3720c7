package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The observer of an application, whose exceptions are logged: they change neither the result of a method nor the
 * release of its lock. It runs handlers of the application, which may throw whatever the contract of {@link
 * LockObserver} says.
 */
final class GuardedObserver implements LockObserver {

    private static final System.Logger LOG = System.getLogger(LockObserver.class.getName());

    private final LockObserver observer;

    GuardedObserver(LockObserver observer) {
        this.observer = observer;
    }

    @Override
    public Wait waiting(DistributedLock lock, @Nullable Object parent) {
        String resource = lock.resource();
        Wait wait = guarded(resource, NONE.waiting(lock, parent), () -> observer.waiting(lock, parent));
        return new Wait() {
            @Override
            public void failed(Throwable failure) {
                guarded(resource, () -> wait.failed(failure));
            }

            @Override
            public void skipped(LockTimeoutException held) {
                guarded(resource, () -> wait.skipped(held));
            }

            @Override
            public Work granted(Lease lease) {
                return new GuardedWork(resource, guarded(resource, Work.UNOBSERVED, () -> wait.granted(lease)));
            }
        };
    }

    private static void guarded(String resource, Runnable call) {
        guarded(resource, "", () -> {
            call.run();
            return "";
        });
    }

    private static <T> T guarded(String resource, T otherwise, Supplier<T> call) {
        try {
            return call.get();
        } catch (Throwable failure) {
            report(resource, failure);
            return otherwise;
        }
    }

    private static void report(String resource, Throwable failure) {
        String message = "The observer of the lock '" + resource
                + "' threw an exception, which has no effect on the lock and its method; correct the LockObserver or "
                + "the handler that it calls";
        LOG.log(Level.ERROR, message, failure);
    }

    /** The work under a lock of this name. */
    private record GuardedWork(String resource, Work work) implements Work {

        @Override
        public <T, E extends Throwable> @Nullable T run(CurrentLease.Body<T, E> body) throws E {
            ObservedBody<T, E> observed = new ObservedBody<>(body);
            try {
                work.run(observed);
            } catch (Throwable failure) {
                if (failure != observed.failure) {
                    report(resource, failure);
                }
            }
            return observed.result();
        }

        @Override
        public @Nullable Object context() {
            return guarded(resource, Optional.empty(), () -> Optional.ofNullable(work.context()))
                    .orElse(null);
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            guarded(resource, () -> work.ended(failure));
        }
    }

    /** A body that remembers its end, because the observer around it may fail before or after it. */
    private static final class ObservedBody<T, E extends Throwable> implements CurrentLease.Body<T, E> {

        private final CurrentLease.Body<T, E> body;
        private boolean begun;
        private @Nullable T value;
        private @Nullable Throwable failure;

        ObservedBody(CurrentLease.Body<T, E> body) {
            this.body = body;
        }

        @Override
        public @Nullable T run() throws E {
            begun = true;
            try {
                value = body.run();
                return value;
            } catch (Throwable thrown) {
                failure = thrown;
                throw thrown;
            }
        }

        /** Returns the result of the body, and runs it first if the observer has not. */
        @Nullable
        T result() throws E {
            if (!begun) {
                return body.run();
            } else if (failure == null) {
                return value;
            }
            @SuppressWarnings("unchecked")
            E thrown = (E) failure;
            throw thrown;
        }
    }
}
