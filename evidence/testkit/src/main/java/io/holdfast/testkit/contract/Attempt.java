package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** One attempt of one owner to lock one resource of a node. */
record Attempt(LockNode node, String resource, Owner owner, FencingToken fence) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration SHORT_TTL = Duration.ofSeconds(1);

    static Attempt fresh(LockNode node, String resource, FencingToken fence) {
        return new Attempt(node, resource, Owner.fresh(RANDOM), fence);
    }

    Reply acquire(Duration ttl) {
        return ask(Claim.acquire(resource, owner, ttl, fence));
    }

    Reply extend(Duration ttl) {
        return ask(extension(ttl));
    }

    Claim extension(Duration ttl) {
        return Claim.acquire(resource, owner, ttl, fence).extend(ttl);
    }

    /** Repairs the hold with this fence, after an acquire with the attempt's own fence. */
    Reply repair(Duration ttl, FencingToken proposed) {
        return ask(Claim.acquire(resource, owner, ttl, fence).repair(ttl, proposed));
    }

    Reply release() {
        return ask(Claim.acquire(resource, owner, SHORT_TTL, fence).release());
    }

    /** Releases the hold after repairs up to this fence. */
    Reply release(FencingToken repaired) {
        return ask(Claim.acquire(resource, owner, SHORT_TTL, fence).release().covering(repaired));
    }

    /** Ends the hold; the node keeps the lock for this long. */
    Reply retain(Duration keep) {
        return ask(Claim.acquire(resource, owner, SHORT_TTL, fence).retain(keep));
    }

    /** Ends the hold after repairs up to this fence; the node keeps the lock for this long. */
    Reply retain(Duration keep, FencingToken repaired) {
        return ask(Claim.acquire(resource, owner, SHORT_TTL, fence).retain(keep).covering(repaired));
    }

    /** Returns an attempt of the same owner with another fence, as a client sends it that proposes again. */
    Attempt withFence(FencingToken newFence) {
        return new Attempt(node, resource, owner, newFence);
    }

    /**
     * Returns the time left of the current hold, zero if there is none: a rejected EXTEND of another owner reports it.
     */
    Duration timeLeftOfHolder() {
        return refused(fresh(node, resource, fence).extend(SHORT_TTL)).timeLeft();
    }

    static Reply.Refused refused(Reply reply) {
        assertThat(reply).isInstanceOf(Reply.Refused.class);
        return (Reply.Refused) reply;
    }

    private Reply ask(Claim claim) {
        return result(node.ask(claim));
    }

    /** Waits for all replies and returns them in order. */
    static List<Reply> replies(List<? extends CompletionStage<Reply>> pending) {
        List<Reply> replies = new ArrayList<>();
        pending.forEach(stage -> replies.add(result(stage)));
        return replies;
    }
}
