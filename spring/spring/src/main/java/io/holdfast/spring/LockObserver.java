package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Observes the locks of annotated methods: the wait for each lock, and the work under it. A bean of this type is found
 * at the first call; {@code holdfast-spring-boot} has one for Micrometer.
 *
 * <p>Implementations are thread-safe. An exception from them is logged, and has no effect on the lock and the method.
 */
public interface LockObserver {

    /** The observer of an application that has no other. */
    LockObserver NONE = (lock, parent) -> new Wait() {
        @Override
        public void failed(Throwable failure) {}

        @Override
        public Work granted(Lease lease) {
            return Work.UNOBSERVED;
        }
    };

    /**
     * Begins to observe a wait. Called on the thread of the request.
     *
     * @param parent the {@linkplain Work#context observation} that the subscriber of a reactive method has; null: that
     *     of this thread
     */
    Wait waiting(DistributedLock lock, @Nullable Object parent);

    /** The wait for a lock, which ends once. Later calls have no effect. */
    interface Wait {

        /** Ends the wait without a grant. */
        void failed(Throwable failure);

        /**
         * Ends the wait for a held lock, because of which the call is skipped. By default the same as {@link #failed}.
         */
        default void skipped(LockTimeoutException held) {
            failed(held);
        }

        /** Ends the wait, and begins the work under the lock. */
        Work granted(Lease lease);
    }

    /** The work under a lock, which ends once. */
    interface Work {

        /** The work of an application without an observer. */
        Work UNOBSERVED = new Work() {
            @Override
            public <T, E extends Throwable> @Nullable T run(CurrentLease.Body<T, E> body) throws E {
                return body.run();
            }

            @Override
            public @Nullable Object context() {
                return null;
            }

            @Override
            public void ended(@Nullable Throwable failure) {}
        };

        /**
         * Runs a body on this thread, as a part of the work. Does not end the work.
         *
         * @return the result of the body
         * @throws E if the body throws it
         */
        <T, E extends Throwable> @Nullable T run(CurrentLease.Body<T, E> body) throws E;

        /** Returns the observation that the subscriber of a reactive method passes on; null if there is none. */
        @Nullable
        Object context();

        /** Ends the work, with the failure of the method if it has one. Later calls have no effect. */
        void ended(@Nullable Throwable failure);
    }
}
