package io.holdfast.client;

import io.holdfast.acquire.AcquireResult.Refused;
import io.holdfast.acquire.Grant;
import io.holdfast.event.LockEvent;
import io.holdfast.event.LockEvent.Ended.How;
import io.holdfast.event.LockEvent.Refused.Reason;
import io.holdfast.hold.HoldListener;
import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.node.ResourceName;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
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
            listeners.report(new LockEvent.Requested(ResourceName.name(request.resource()), request.mode()));
        }
    }

    void granted(Grant grant, @Nullable Moment begun) {
        if (begun != null) {
            Claim claim = grant.claim();
            Moment now = time.now();
            listeners.report(new LockEvent.Granted(
                    claim.name(),
                    claim.mode(),
                    claim.fence(),
                    grant.left(now),
                    now.surelySince(begun),
                    grant.origin() != Grant.Origin.NODES));
        }
    }

    void refused(LockRequest request, Refused<?> refusal) {
        Reason held = refusal.isSplit() ? Reason.TIED : Reason.HELD;
        refused(request, refusal.isByHolder() ? held : Reason.UNREACHABLE, refusal.votes(), refusal.holder());
    }

    void abandoned(LockRequest request) {
        refused(request, Reason.ABANDONED, "", Optional.empty());
    }

    private void refused(LockRequest request, Reason reason, String votes, Optional<ClientDescription> holder) {
        Moment begun = request.begun();
        if (begun != null) {
            Duration waited = time.now().surelySince(begun);
            String name = ResourceName.name(request.resource());
            listeners.report(new LockEvent.Refused(name, request.mode(), reason, waited, votes, holder));
        }
    }

    @Override
    public void renewed(Claim held, boolean confirmed, Duration remaining) {
        if (!listeners.isEmpty()) {
            listeners.report(new LockEvent.Renewed(held.name(), held.fence(), confirmed, remaining));
        }
    }

    @Override
    public void ended(Claim held, Duration heldFor, boolean detached, @Nullable Loss loss) {
        if (!listeners.isEmpty()) {
            listeners.report(new LockEvent.Ended(held.name(), held.fence(), how(detached, loss), loss, heldFor));
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
