package io.holdfast.testkit.contract;

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
import java.util.concurrent.TimeUnit;

/** One attempt of one owner on one resource of a node. */
record Attempt(LockNode node, String resource, Owner owner, FencingToken fence) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration ANY_TTL = Duration.ofSeconds(1);
    private static final long REPLY_SECONDS = 10;

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

    /** After an acquire with this attempt's number. */
    Reply repair(Duration ttl, FencingToken proposed) {
        return ask(Claim.acquire(resource, owner, ttl, fence).repair(ttl, proposed));
    }

    Reply release() {
        return ask(Claim.acquire(resource, owner, ANY_TTL, fence).release());
    }

    /** After repairs up to this number. */
    Reply release(FencingToken repaired) {
        return ask(Claim.acquire(resource, owner, ANY_TTL, fence).release().covering(repaired));
    }

    /** The same attempt with this one's owner and another fence, as a client that proposes anew sends it. */
    Attempt withFence(FencingToken newFence) {
        return new Attempt(node, resource, owner, newFence);
    }

    /** How long the present hold lasts, zero if there is none: what a stranger is told whose EXTEND is refused. */
    Duration timeLeftOfAnyone() {
        return refused(fresh(node, resource, fence).extend(ANY_TTL)).timeLeft();
    }

    static Reply.Refused refused(Reply reply) {
        assertThat(reply).isInstanceOf(Reply.Refused.class);
        return (Reply.Refused) reply;
    }

    private Reply ask(Claim claim) {
        return reply(node.ask(claim));
    }

    /** What a node answers to many claims. */
    static List<Reply> replies(List<? extends CompletionStage<Reply>> asked) {
        List<Reply> replies = new ArrayList<>();
        asked.forEach(stage -> replies.add(reply(stage)));
        return replies;
    }

    private static Reply reply(CompletionStage<Reply> asked) {
        return asked.toCompletableFuture()
                .orTimeout(REPLY_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
