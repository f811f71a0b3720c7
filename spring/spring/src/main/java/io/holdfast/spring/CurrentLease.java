package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NamedThreadLocal;

/**
 * The lease of the method that runs on this thread under {@link HoldfastLock} or {@code @OnlyLeader}: the innermost, if
 * such methods call each other. Its fencing token belongs into each write to the resource that the lock guards.
 *
 * <p>Other threads that the method starts see no lease: pass it to them. The operators of a publisher find it in the
 * context of Reactor, under the key {@code Lease.class}.
 */
public final class CurrentLease {

    private static final ThreadLocal<@Nullable Lease> INNERMOST = new NamedThreadLocal<>("Holdfast's current lease");

    private CurrentLease() {}

    /**
     * Returns the lease of the method that runs on this thread.
     *
     * @throws IllegalStateException if no such method runs on this thread
     */
    public static Lease get() {
        return find().orElseThrow(() -> new IllegalStateException(
                "No lock is held here; call this in a method with @HoldfastLock or @OnlyLeader, on its own thread,"
                        + " and through the proxy of its bean"));
    }

    /** Returns the lease of the method that runs on this thread; empty if there is none. */
    public static Optional<Lease> find() {
        return Optional.ofNullable(INNERMOST.get());
    }

    /**
     * Runs a body with this lease as the current one: on another thread of the method, or under a lease that other code
     * has acquired. Does not acquire or release anything.
     *
     * @return the result of the body
     * @throws E if the body throws it
     */
    public static <T, E extends Throwable> @Nullable T with(Lease lease, Body<T, E> body) throws E {
        Lease outer = INNERMOST.get();
        INNERMOST.set(lease);
        try {
            return body.run();
        } finally {
            if (outer == null) {
                INNERMOST.remove();
            } else {
                INNERMOST.set(outer);
            }
        }
    }

    /** A body of {@link #with}. */
    @FunctionalInterface
    public interface Body<T, E extends Throwable> {

        /** Runs while the lease is the current one. */
        @Nullable
        T run() throws E;
    }
}
