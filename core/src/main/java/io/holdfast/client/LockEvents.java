package io.holdfast.client;

import io.holdfast.acquire.AcquireResult.Refused;
import io.holdfast.acquire.Grant;
import io.holdfast.acquire.HeldClaim;
import io.holdfast.event.LockEvent;
import io.holdfast.event.LockEvent.Ended.How;
import io.holdfast.event.LockEvent.Refused.Reason;
import io.holdfast.hold.Hold;
import io.holdfast.hold.HoldListener;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.ResourceName;
import io.holdfast.node.Vote;
import io.holdfast.quorum.Outcome;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Creates an event for each request, grant, refusal, release and loss of one client. While there is no listener,
 * creates none. Thread-safe.
 */
public record LockEvents(EventListeners listeners, ClientLog log, Time time) implements HoldListener {

    /** Returns the moment at which a request begins; null if it need not be reported. */
    @Nullable
    Moment begun() {
        return listeners.isEmpty() ? null : time.now();
    }

    void requested(LockRequest request) {
        if (request.begun() != null) {
            listeners.report(new LockEvent.Requested(
                    ResourceName.name(request.resource()), request.parameters().mode()));
        }
    }

    void granted(Grant grant, @Nullable Moment begun) {
        if (begun != null) {
            HeldClaim claim = grant.held();
            Moment now = time.now();
            listeners.report(new LockEvent.Granted(
                    claim.name(),
                    claim.mode(),
                    claim.fence(),
                    Durations.longer(Duration.ZERO, grant.validity().left(now)),
                    now.surelySince(begun),
                    grant.origin() != Grant.Origin.NODES));
        }
    }

    void refused(LockRequest request, Refused<?> refusal) {
        Outcome outcome = refusal.outcome();
        Reason held = outcome != null && outcome.isSplit() ? Reason.TIED : Reason.HELD;
        refused(
                request,
                refusal.isByHolder() ? held : Reason.UNREACHABLE,
                outcome == null ? "" : Vote.join(outcome.votes()));
    }

    void abandoned(LockRequest request) {
        refused(request, Reason.ABANDONED, "");
    }

    private void refused(LockRequest request, Reason reason, String votes) {
        Moment begun = request.begun();
        if (begun != null) {
            Duration waited = time.now().surelySince(begun);
            LockMode mode = request.parameters().mode();
            listeners.report(new LockEvent.Refused(ResourceName.name(request.resource()), mode, reason, waited, votes));
        }
    }

    @Override
    public void renewed(Hold hold, boolean confirmed) {
        if (!listeners.isEmpty()) {
            HeldClaim claim = hold.held();
            listeners.report(new LockEvent.Renewed(claim.name(), claim.fence(), confirmed, hold.remaining()));
        }
    }

    @Override
    public void ended(Hold hold, Duration heldFor, boolean detached, @Nullable Loss loss) {
        if (!listeners.isEmpty()) {
            HeldClaim claim = hold.held();
            listeners.report(new LockEvent.Ended(claim.name(), claim.fence(), how(detached, loss), loss, heldFor));
        }
        if (loss != null) {
            log.lost(loss);
        }
    }

    private static How how(boolean detached, @Nullable Loss loss) {
        if (loss != null) {
            return loss.reason() == LossReason.CLOSED ? How.CLOSED : How.LOST;
        }
        return detached ? How.DETACHED : How.RELEASED;
    }
}
