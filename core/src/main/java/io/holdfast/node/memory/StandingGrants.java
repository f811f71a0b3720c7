package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.time.Moment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out the standing claims of the first waiters after one release. Not thread-safe. */
final class StandingGrants implements WaitQueues.Carrier {

    private final String resource;
    private final LockTable locks;
    private final FenceTable fences;
    private final StandingClaims standing;
    private final int run;
    private final Moment now;
    private final Consumer<Claim> observer;
    /** A fence that is not below any accepted one. */
    private FencingToken accepted;

    /**
     * Creates a carrier.
     *
     * @param release the release that may free the lock
     * @param run the present run of the node
     * @param observer receives each claim that was granted
     */
    StandingGrants(
            Claim release,
            LockTable locks,
            FenceTable fences,
            StandingClaims standing,
            int run,
            Moment now,
            Consumer<Claim> observer) {
        this.resource = release.resource();
        this.locks = locks;
        this.fences = fences;
        this.standing = standing;
        this.run = run;
        this.now = now;
        this.observer = observer;
        // The last claim that the node accepted was that of the exclusive holder; of many holders, it may be another's.
        this.accepted = release.isShared() ? fences.accepted(resource) : release.greatestFence();
    }

    @Override
    public @Nullable Claim carryOut(String entry) {
        Claim claim = standing.fresh(resource, entry, run, fences.marker(), now);
        if (claim == null
                || locks.blocks(claim)
                || !fences.acceptStanding(claim, accepted, locks.left(resource, now), now)) {
            return null;
        }
        accepted = accepted.max(claim.greatestFence());
        Claim granted = claim.standing();
        locks.take(granted, now);
        observer.accept(granted);
        return granted;
    }
}
