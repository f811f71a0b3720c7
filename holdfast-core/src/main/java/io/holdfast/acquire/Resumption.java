package io.holdfast.acquire;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.acquire.AcquireResult.Refusal;
import io.holdfast.node.Claim;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Moment;
import java.util.concurrent.CompletableFuture;

/** A lock that was granted elsewhere: once a majority has extended it for its owner, it is held here. */
final class Resumption {

    private Resumption() {}

    /** One round. Nothing is created, and nothing is taken back: whoever held the lock still does where this fails. */
    static CompletableFuture<AcquireResult> of(
            NodeGroup group, FenceProposer proposer, Claim granted, LockParameters parameters) {
        proposer.observed(granted.greatestFence());
        Round round = group.ask(granted.extend(parameters.ttl()), parameters.nodeTimeout());
        return round.settled().thenApply(outcome -> {
            Moment now = group.time().now();
            Validity validity = Validity.of(round.begun(), parameters.ttl(), parameters.drift());
            outcome.fences().forEach(proposer::observed);
            boolean inTime = validity.left(now).compareTo(parameters.margin()) > 0;
            return outcome.verdict() == Verdict.GRANTED && inTime
                    ? new Grant(granted, anywhere(group, proposer, round), validity, parameters, true)
                    : new Refusal(outcome, 1, now.surelySince(round.begun()));
        });
    }

    /** The client that was granted the lock may have sent repairs. Their numbers lie just above fences that nodes had accepted. */
    private static AttemptTrace anywhere(NodeGroup group, FenceProposer proposer, Round round) {
        return AttemptTrace.anywhere(
                round.begun(), () -> proposer.propose(group.time().now(), 0));
    }
}
