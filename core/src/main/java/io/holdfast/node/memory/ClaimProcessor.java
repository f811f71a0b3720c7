package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out the claims that an in-memory node receives, as the scripts do on a Redis server. Not thread-safe. */
final class ClaimProcessor {

    private final LockTable locks;
    private final FenceTable fences;
    private final WaitQueues queues;
    private Consumer<Claim> onStandingGrant = claim -> {};

    /**
     * The knowledge of a client about the node to which it sends a claim.
     *
     * @param run the run of the node
     * @param config the configuration of the client; null: it states none
     */
    record Sender(int run, @Nullable QuorumConfig config) {}

    ClaimProcessor(LockTable locks, FenceTable fences, WaitQueues queues) {
        this.locks = locks;
        this.fences = fences;
        this.queues = queues;
    }

    /** Adds an observer of the standing claims that are carried out. */
    void onStandingGrant(Consumer<Claim> observer) {
        onStandingGrant = onStandingGrant.andThen(observer);
    }

    /**
     * Carries out a claim, or rejects it.
     *
     * @param sender the present run of the node, and the configuration of the client
     * @param votes whether the node is out of quarantine
     */
    Reply reply(Claim claim, Sender sender, boolean votes, Moment now) {
        locks.expire(now);
        fences.expire(now);
        queues.expire(now);
        return switch (claim.action()) {
            case ACQUIRE -> {
                Reply rejection = rejection(sender, fences.marker().accepts(sender.config()), votes);
                yield rejection == null ? acquire(claim, sender, now) : rejection;
            }
            case EXTEND -> extend(claim, now);
            case QUERY -> query(claim, now);
            case REPAIR -> {
                Reply rejection = rejection(sender, fences.marker().isOfSet(sender.config()), votes);
                yield rejection == null ? repair(claim, now) : rejection;
            }
            case RELEASE, RETAIN -> release(claim, sender.run(), votes, now);
        };
    }

    private @Nullable Reply rejection(Sender sender, boolean accepts, boolean votes) {
        if (!accepts) {
            return Reply.unfit(fences.marker().rejectionOf(sender.config()));
        }
        return votes
                ? null
                : new Reply.Quarantined(fences.marker().observation().left());
    }

    private Reply acquire(Claim claim, Sender sender, Moment now) {
        if (locks.has(claim)) {
            return Reply.GRANTED;
        }
        if (locks.blocks(claim) || queues.mustWait(claim, locks, fence(claim), now)) {
            return refuseAndQueue(claim, sender, now);
        }
        Reply rejection = fences.rejection(claim, now);
        if (rejection != null) {
            return rejection;
        }
        queues.granted(claim, now);
        return grant(claim, now);
    }

    private Reply refuseAndQueue(Claim claim, Sender sender, Moment now) {
        queues.refused(claim, sender, fences.mayStand(claim), now);
        return refusedAcquire(claim, now);
    }

    private Reply query(Claim claim, Moment now) {
        boolean isFree = locks.isFree(claim.resource());
        boolean isOthers = isFree ? queues.isReservedForAnother(claim) : !locks.has(claim);
        return isOthers && queues.isQueued(claim, now) ? refusedAcquire(claim, now) : Reply.GRANTED;
    }

    private Reply.Refused refusedAcquire(Claim claim, Moment now) {
        String resource = claim.resource();
        Duration left = locks.isFree(resource) ? queues.reservationLeft(resource, now) : locks.left(resource, now);
        Owner holder = locks.of(resource);
        return new Reply.Refused(left, fence(claim), now.wallMicros(), holder == null ? "" : holder.mark());
    }

    private Reply extend(Claim claim, Moment now) {
        if (!locks.has(claim)) {
            return refusal(claim, now);
        }
        if (locks.extend(claim, now)) {
            queues.downgraded(claim.resource(), fence(claim), now);
        }
        return Reply.GRANTED;
    }

    private Reply repair(Claim claim, Moment now) {
        if (locks.has(claim) || locks.blocks(claim)) {
            return extend(claim, now);
        }
        Reply rejection = fences.rejection(claim, now);
        return rejection == null ? grant(claim, now) : rejection;
    }

    private Reply grant(Claim claim, Moment now) {
        fences.accept(claim, locks.left(claim.resource(), now), now);
        locks.take(claim, now);
        return Reply.GRANTED;
    }

    private Reply release(Claim claim, int run, boolean votes, Moment now) {
        boolean ours = locks.has(claim);
        Reply reply = ours ? Reply.GRANTED : refusal(claim, now);
        boolean becameFree = locks.release(claim, now);
        fences.seal(claim, ours, locks.left(claim.resource(), now), now);
        boolean serves = becameFree && votes && claim.servesNext();
        WaitQueues.Carrier carrier = serves
                ? new StandingGrants(claim, locks, fences, queues.standing(), run, now, onStandingGrant)
                : WaitQueues.Carrier.NONE;
        queues.released(claim, ours, becameFree, locks, fence(claim), now, carrier);
        return reply;
    }

    private Reply refusal(Claim claim, Moment now) {
        return new Reply.Refused(locks.blockedFor(claim, now), fence(claim), 0);
    }

    private FencingToken fence(Claim claim) {
        return fences.accepted(claim.resource());
    }
}
