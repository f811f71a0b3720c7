package io.holdfast.quorum;

import io.holdfast.node.Claim;
import io.holdfast.quorum.Result.Grant;
import io.holdfast.quorum.Result.Refusal;
import io.holdfast.time.Moment;
import java.util.concurrent.CompletableFuture;

/** A lock that was granted elsewhere: once a majority has extended it for its owner, it is held here. */
final class Resumption {

    private Resumption() {}

    /** One round. Nothing is created, and nothing is taken back: whoever held the lock still does where this fails. */
    static CompletableFuture<Result> of(Quorum quorum, Proposals proposals, Claim granted, Terms terms) {
        proposals.saw(granted.top());
        Round round = quorum.ask(granted.extend(terms.ttl()), terms.nodeTimeout());
        return round.settled().thenApply(outcome -> {
            Moment now = quorum.time().now();
            Validity validity = Validity.of(round.begun(), terms.ttl(), terms.drift());
            outcome.fences().forEach(proposals::saw);
            boolean inTime = validity.left(now).compareTo(terms.margin()) > 0;
            return outcome.verdict() == Verdict.GRANTED && inTime
                    ? new Grant(granted, anywhere(quorum, proposals, round), validity, terms, true)
                    : new Refusal(outcome, 1, now.surelySince(round.begun()));
        });
    }

    /** The client that was granted the lock may have sent repairs. Their numbers lie just above fences that nodes had accepted. */
    private static Trail anywhere(Quorum quorum, Proposals proposals, Round round) {
        return Trail.anywhere(
                round.begun(), () -> proposals.propose(quorum.time().now(), 0));
    }
}
