package io.holdfast.spring.use;

import io.holdfast.Lease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NamedThreadLocal;

/**
 * The leases that annotated methods of one thread hold, those included that wait for the end of a transaction. A second
 * method of the thread with the same lock would otherwise wait for the first.
 */
public final class ThreadLeases {

    private static final ThreadLocal<@Nullable ThreadLeases> OF_THREAD =
            new NamedThreadLocal<>("Leases of Holdfast's annotated methods");

    /** Changed by its thread, except that a transaction may complete on another one. */
    private final List<LeaseUse> leases = new CopyOnWriteArrayList<>();

    private ThreadLeases() {}

    /** Adds the use of a lease to those of the calling thread, and returns these. */
    public static ThreadLeases add(LeaseUse use) {
        ThreadLeases known = OF_THREAD.get();
        ThreadLeases leases = known == null ? new ThreadLeases() : known;
        leases.leases.add(use);
        OF_THREAD.set(leases);
        return leases;
    }

    /**
     * Begins another use of a valid lease of this lock on the calling thread; empty if there is none.
     *
     * @throws IllegalStateException if the thread holds the lock in shared mode and requests it exclusively: it would
     *     wait for itself
     */
    public static Optional<LeaseUse> use(LockKey key, boolean shared) {
        ThreadLeases known = OF_THREAD.get();
        if (known == null) {
            return Optional.empty();
        }
        Optional<LeaseUse> held =
                known.leases.stream().filter(use -> use.isOf(key)).findFirst();
        held.ifPresent(use -> requireCompatible(use.lease(), shared));
        return held.flatMap(LeaseUse::another);
    }

    /**
     * Checks that an inner method can run under the lease of an outer one.
     *
     * @throws IllegalStateException if the lease is shared and the lock is requested exclusively
     */
    public static void requireCompatible(Lease held, boolean shared) {
        if (held.isShared() && !shared) {
            throw new IllegalStateException("The caller holds '" + held.resource()
                    + "' in shared mode and requests it exclusively, which would wait for itself; request it "
                    + "exclusively in the outer method");
        }
    }

    /**
     * Removes the use of a lease, when its method and transaction have ended; for a publisher, when the method has
     * returned it.
     */
    public void remove(LeaseUse use) {
        leases.remove(use);
        if (leases.isEmpty() && OF_THREAD.get() == this) {
            OF_THREAD.remove();
        }
    }

    /** Returns {@code true} if the calling thread has leases, or has not forgotten those it had. */
    static boolean isKnown() {
        return OF_THREAD.get() != null;
    }
}
