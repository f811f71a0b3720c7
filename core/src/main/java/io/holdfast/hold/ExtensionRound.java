package io.holdfast.hold;

import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A round that extends a hold, and applies its outcome to it. */
record ExtensionRound(Hold hold, Claim extension, Round round) {

    /** Nodes forget the name of a lock half an hour after its acquisition, so a holder renews that sooner. */
    private static final Duration LISTED_EVERY = Duration.ofMinutes(10);

    /** Applies the outcome to the hold, and returns the result. */
    CompletableFuture<Extension> result() {
        return round.settled().thenApply(this::apply);
    }

    private Extension apply(Outcome outcome) {
        hold.expireIfDue();
        if (outcome.tally().isDenied() && !isOutdated()) {
            hold.lose(reasonOfDenial(outcome));
            return Extension.ENDED;
        }
        Moment now = group().now();
        Moment before = hold.current.validity().from();
        Validity confirmed =
                Validity.of(round.begun(), extension.ttl(), hold.parameters().drift());
        boolean granted = outcome.isGranted();
        hold.move(granted ? was -> was.extended(confirmed, now) : HoldState::unconfirmed);
        if (hold.isOver()) {
            return Extension.ENDED;
        }
        boolean suffices = granted && (confirmed.left(now).compareTo(Duration.ZERO) > 0 || isShorterThanTheRest());
        hold.holds.reportRenewal(hold, suffices);
        if (suffices) {
            repair();
            keepListed(before, now);
        }
        return suffices ? Extension.CONFIRMED : Extension.UNCONFIRMED;
    }

    /** Returns {@code true} if the hold lasts longer than requested anyway: no extension shortens it. */
    private boolean isShorterThanTheRest() {
        return hold.remaining().compareTo(extension.ttl()) >= 0;
    }

    /** Returns {@code true} after a downgrade: a denial of the exclusive lock says nothing about the shared one. */
    private boolean isOutdated() {
        return extension.isShared() != hold.claim().isShared();
    }

    private static LossReason reasonOfDenial(Outcome outcome) {
        return outcome.freeIn().filter(left -> !left.isZero()).isPresent() ? LossReason.TAKEN : LossReason.EXPIRED;
    }

    private void repair() {
        new Repair(group().nodes(), group().time(), extension, round.begun(), hold.trace, hold::isHeld).follow(round);
    }

    private void keepListed(Moment before, Moment now) {
        if (periods(now) > periods(before)) {
            group().keepListed(extension.resource());
        }
    }

    private long periods(Moment moment) {
        return (moment.nanos() - hold.begunNanos) / LISTED_EVERY.toNanos();
    }

    private NodeGroup group() {
        return hold.holds.group();
    }
}
