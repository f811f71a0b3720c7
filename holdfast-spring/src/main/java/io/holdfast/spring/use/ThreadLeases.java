package io.holdfast.spring.use;

import io.holdfast.Lease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.core.NamedThreadLocal;

/**
 * The leases that annotated methods of one thread hold, those included that wait for the end of a transaction. A second method of the
 * thread with the same lock would otherwise wait for the first.
 */
public final class ThreadLeases {

    private static final ThreadLocal<ThreadLeases> OF_THREAD =
            NamedThreadLocal.withInitial("Leases of Holdfast's annotated methods", ThreadLeases::new);

    /** Changed by its thread, except that a transaction may complete on another one. */
    private final List<LeaseUse> leases = new CopyOnWriteArrayList<>();

    private ThreadLeases() {}

    /** Returns the leases of the calling thread. */
    public static ThreadLeases ofThisThread() {
        return OF_THREAD.get();
    }

    /**
     * Begins another use of a valid lease of this lock; empty if there is none.
     *
     * @throws IllegalStateException if the thread holds the lock in shared mode and requests it exclusively: it would wait for itself
     */
    public Optional<LeaseUse> use(String resource, boolean shared) {
        Optional<LeaseUse> held = leases.stream()
                .filter(use ->
                        use.lease().resource().equals(resource) && use.lease().isValid())
                .findFirst();
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
                    + "' in shared mode and requests it exclusively, which would wait for itself; request it exclusively"
                    + " in the outer method");
        }
    }

    /** Adds the first use of a lease. */
    public void add(LeaseUse use) {
        leases.add(use);
    }

    /** Removes the use of a lease whose method and transaction have ended. */
    public void remove(LeaseUse use) {
        leases.remove(use);
    }
}
