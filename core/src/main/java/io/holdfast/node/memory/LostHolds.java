package io.holdfast.node.memory;

import io.holdfast.lease.LossReason;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.time.Moment;
import java.time.Duration;

/** Ends holds of an in-memory node in the ways that a holder reports with different reasons. */
final class LostHolds {

    private static final Owner OTHER_OWNER = new Owner("another-owner");

    private final LockTable locks;
    private final FenceTable fences;
    /** By resource, the owner whose extensions receive no answer. */
    private final ExpiringMap<Owner> unanswered = new ExpiringMap<>();

    LostHolds(LockTable locks, FenceTable fences) {
        this.locks = locks;
        this.fences = fences;
    }

    void expire(Moment now) {
        unanswered.expire(now);
    }

    void clear() {
        unanswered.clear();
    }

    /** Returns {@code true} if the extension reaches the node. */
    boolean isAnswered(Claim extension) {
        Owner owner = unanswered.get(extension.resource());
        return owner == null
                || !(owner.equals(extension.owner()) || (owner.equals(LockTable.SHARED) && extension.isShared()));
    }

    /** Ends the hold of this owner; see {@link InMemoryNode#lose}. */
    void lose(String resource, Owner owner, LossReason reason, Moment now) {
        Duration left = locks.left(resource, now);
        switch (reason) {
            case EXPIRED -> locks.drop(resource);
            case TAKEN -> {
                Claim taken = Claim.acquire(
                        resource,
                        OTHER_OWNER,
                        left,
                        fences.rejectsUpTo(resource, now).nextEven());
                locks.drop(resource);
                fences.accept(taken, now);
                locks.take(taken, now);
            }
            case QUORUM_UNREACHABLE -> unanswered.put(resource, owner, now, left);
            case HOLD_LIMIT, CLOSED ->
                throw new IllegalArgumentException(
                        "A node cannot cause the reason " + reason + "; set holdLimit, or close the Holdfast");
        }
    }
}
