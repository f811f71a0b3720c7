package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.event.LockEvent;
import io.holdfast.event.LockEvent.Ended.How;
import io.holdfast.event.LockEvent.Refused.Reason;
import io.holdfast.hold.Hold;
import io.holdfast.hold.HoldListener;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.node.Vote;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes events of what happens to the locks of one client. While there is no listener, creates none. Thread-safe. */
record LockEvents(EventListeners listeners, ClientLog log, Time time) implements HoldListener {

    /** Returns the moment at which a request begins; null if it need not be reported. */
    @Nullable
    Moment begun() {
        return listeners.isEmpty() ? null : time.now();
    }

    void granted(Claim claim, @Nullable Moment begun, boolean handedOver) {
        if (begun != null) {
            Duration waited = time.now().surelySince(begun);
            listeners.report(new LockEvent.Granted(claim.resource(), claim.mode(), claim.fence(), waited, handedOver));
        }
    }

    void refused(String resource, AcquireResult.Refusal refusal, @Nullable Moment begun) {
        if (begun != null) {
            Reason reason = refusal.isHeld() ? Reason.CONTENTION : Reason.UNREACHABLE;
            String votes = Vote.join(refusal.outcome().votes());
            listeners.report(new LockEvent.Refused(resource, reason, time.now().surelySince(begun), votes));
        }
    }

    @Override
    public void renewed(Hold hold, boolean confirmed) {
        if (!listeners.isEmpty()) {
            listeners.report(new LockEvent.Renewed(hold.claim().resource(), confirmed, hold.remaining()));
        }
    }

    @Override
    public void ended(Hold hold, Duration heldFor, boolean detached, @Nullable Loss loss) {
        if (!listeners.isEmpty()) {
            Claim claim = hold.claim();
            listeners.report(new LockEvent.Ended(claim.resource(), claim.fence(), how(detached, loss), loss, heldFor));
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
