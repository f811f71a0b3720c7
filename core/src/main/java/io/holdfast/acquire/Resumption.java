package io.holdfast.acquire;

import io.holdfast.acquire.AcquireResult.Held;
import io.holdfast.acquire.AcquireResult.Refused;
import io.holdfast.node.Claim;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Moment;
import java.util.concurrent.CompletableFuture;

/**
 * The takeover of a lock that was granted to another client: it is held here once a majority has extended it for its
 * owner.
 */
final class Resumption {

    private Resumption() {}

    /**
     * Extends the lock in one round. Creates and releases nothing: if the round fails, the previous holder keeps the
     * lock.
     */
    static CompletableFuture<AcquireResult<Grant>> of(
            NodeGroup group, FenceProposer proposer, Claim granted, LockParameters parameters) {
        proposer.observed(granted.greatestFence());
        Round round = group.ask(granted.extend(parameters.ttl()), parameters.nodeTimeout());
        return round.settled().thenApply(outcome -> {
            Moment now = group.now();
            Validity validity = Validity.of(round.begun(), parameters.ttl(), parameters.drift());
            outcome.fences().forEach(proposer::observed);
            boolean inTime = validity.left(now).compareTo(parameters.margin()) > 0;
            return outcome.isGranted() && inTime
                    ? new Held<>(new Grant(
                            granted.withTicket(null),
                            traceOf(group, proposer),
                            validity,
                            parameters,
                            now.nanos(),
                            Grant.Origin.PROCESS))
                    : new Refused<>(outcome, now.surelySince(round.begun()));
        });
    }

    /** Covers the repairs of the previous client, whose fences lie just above fences that nodes had accepted. */
    private static AttemptTrace traceOf(NodeGroup group, FenceProposer proposer) {
        return AttemptTrace.ofOtherProcess(() -> proposer.propose(group.now(), 0));
    }
}
