package io.holdfast.hold;

import io.holdfast.lease.Loss;
import io.holdfast.node.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the events of all holds of one client, on threads that must not be blocked, and under no lock. */
public interface HoldListener {

    /** An extension ended; the hold is valid. */
    void renewed(Claim held, boolean confirmed, Duration remaining);

    /**
     * A hold ended.
     *
     * @param detached whether the lock stays on the nodes, for another process
     * @param loss null if the hold was released or detached
     */
    void ended(Claim held, Duration heldFor, boolean detached, @Nullable Loss loss);
}
