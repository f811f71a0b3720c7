package io.holdfast.spring;

import io.holdfast.Lease;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NamedThreadLocal;

/**
 * The lease of the method that runs on this thread under {@link HoldfastLock} or {@code @OnlyLeader}: the innermost, if
 * such methods call each other, or if one has several locks. Its fencing token belongs into each write to the resource
 * that the lock guards.
 *
 * <p>Other threads that the method starts see no lease: pass it to them. The operators of a publisher find it in the
 * context of Reactor, under the key {@code Lease.class}.
 */
public final class CurrentLease {

    private static final ThreadLocal<@Nullable Nested> INNERMOST = new NamedThreadLocal<>("Holdfast's current lease");

    /** A lease, and those outside of it. */
    private record Nested(Lease lease, @Nullable Nested outer) {}

    private CurrentLease() {}

    /**
     * Returns the lease of the method that runs on this thread.
     *
     * @throws IllegalStateException if no such method runs on this thread
     */
    public static Lease get() {
        return find().orElseThrow(() -> notHeld("No lock is"));
    }

    /**
     * Returns the lease of one of the locks that the methods on this thread hold.
     *
     * @param resource the name of the lock, with the prefix of its {@link LockFactory}
     * @throws IllegalStateException if none of them holds it
     */
    public static Lease of(String resource) {
        for (Nested nested = INNERMOST.get(); nested != null; nested = nested.outer()) {
            if (nested.lease().resource().equals(resource)) {
                return nested.lease();
            }
        }
        throw notHeld("The lock '" + resource + "' is not");
    }

    private static IllegalStateException notHeld(String lock) {
        return new IllegalStateException(lock + " held here; call this in a method with @HoldfastLock or @OnlyLeader,"
                + " on its own thread, and through the proxy of its bean");
    }

    /** Returns the lease of the method that runs on this thread; empty if there is none. */
    public static Optional<Lease> find() {
        return Optional.ofNullable(INNERMOST.get()).map(Nested::lease);
    }

    /**
     * Runs a body with this lease as the current one: on another thread of the method, or under a lease that other code
     * has acquired. Does not acquire or release anything.
     *
     * @return the result of the body
     * @throws E if the body throws it
     */
    public static <T, E extends Throwable> @Nullable T with(Lease lease, Body<T, E> body) throws E {
        Object before = enter(List.of(lease));
        try {
            return body.run();
        } finally {
            leave(before);
        }
    }

    /** Shows leases to this thread until {@link #leave}; the last one is the innermost. */
    static @Nullable Object enter(List<Lease> leases) {
        Nested outer = INNERMOST.get();
        Nested inner = outer;
        for (Lease lease : leases) {
            inner = new Nested(lease, inner);
        }
        show(inner);
        return outer;
    }

    /** Shows to this thread what {@link #enter} has returned. */
    static void leave(@Nullable Object before) {
        show((Nested) before);
    }

    private static void show(@Nullable Nested innermost) {
        if (innermost == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(innermost);
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
