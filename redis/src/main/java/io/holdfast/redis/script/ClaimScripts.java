package io.holdfast.redis.script;

import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.batch.ClaimBatches;
import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.RunId;
import io.holdfast.redis.connection.ServerSession;
import io.holdfast.redis.keys.Keys;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Sends claims by scripts, in the order of the calls. Thread-safe.
 *
 * @param keysOf returns the keys of a resource
 * @param config the configuration of the client, as it is stored in a marker
 * @param claimsStand {@code false} if a release by another client must not grant a lock to a waiter of this one
 * @param batches {@code true} if the keys of several locks may be in one command
 */
record ClaimScripts(Function<String, Keys> keysOf, String config, boolean claimsStand, boolean batches) {

    /** Sends a claim; together with others, if other claims await a reply and more arrive before it is written. */
    CompletionStage<RedisReply> send(ServerSession server, RunId runId, Claim claim) {
        // A server that does not answer costs bounded memory. A command may have many claims. Extensions are not
        // refused: they are one command for many leases, which other claims must not end.
        if (server.unanswered() > PendingCommands.MAX_PENDING) {
            return CompletableFuture.completedFuture(PendingCommands.TOO_MANY);
        }
        // One of the claims without an answer is this one.
        return server.unanswered() > 1 && batches && ClaimBatches.accepts(claim)
                ? sendInBatch(server, runId, claim)
                : sendAlone(server, runId, claim);
    }

    /** If the server refuses the whole command, each of its claims is sent by itself. */
    private CompletionStage<RedisReply> sendInBatch(ServerSession server, RunId runId, Claim claim) {
        CompletionStage<RedisReply> sent =
                server.claims().send(claim, batch -> batch(runId).send(server.session(), batch));
        return sent.thenCompose(reply -> reply == ClaimBatch.ALONE ? sendAlone(server, runId, claim) : sent);
    }

    private ClaimBatch batch(RunId runId) {
        return new ClaimBatch(claim -> call(runId, claim), keysOf, runId, config);
    }

    private CompletionStage<RedisReply> sendAlone(ServerSession server, RunId runId, Claim claim) {
        Script.Call call = call(runId, claim);
        return server.claims().sendAlone(() -> call.on(server.session()));
    }

    private Script.Call call(RunId runId, Claim claim) {
        Keys keys = keysOf.apply(claim.resource());
        String owner = claim.owner().token();
        boolean shared = claim.isShared();
        return switch (claim.action()) {
            case ACQUIRE -> (shared ? Script.ACQUIRE_SHARED : Script.ACQUIRE).with(keys, acquisition(runId, claim));
            case EXTEND -> (shared ? Script.EXTEND_SHARED : Script.EXTEND).with(keys, owner, ttlMillis(claim));
            case QUERY -> Script.QUERY.with(keys, owner, entry(claim));
            case REPAIR ->
                (shared ? Script.REPAIR_SHARED : Script.REPAIR)
                        .with(keys, owner, ttlMillis(claim), greatest(claim), runId.onWire(), config);
            case RELEASE ->
                (shared ? Script.RELEASE_SHARED : Script.RELEASE)
                        .with(
                                keys,
                                owner,
                                greatest(claim),
                                entry(claim),
                                number(claim),
                                claim.requeued() ? "1" : "0",
                                claim.servesNext() ? "1" : "0",
                                runId.onWire());
            case RETAIN ->
                (shared ? Script.RETAIN_SHARED : Script.RETAIN).with(keys, owner, ttlMillis(claim), greatest(claim));
        };
    }

    private static String ttlMillis(Claim claim) {
        return Long.toString(claim.ttl().toMillis());
    }

    private static String greatest(Claim claim) {
        return claim.greatestFence().toString();
    }

    private static String entry(Claim claim) {
        WaitTicket ticket = claim.ticket();
        return ticket == null ? "" : ticket.entry();
    }

    private static String number(Claim claim) {
        WaitTicket ticket = claim.ticket();
        return ticket == null ? "" : Long.toString(ticket.number());
    }

    private String[] acquisition(RunId runId, Claim claim) {
        String owner = claim.owner().token();
        String fence = claim.fence().toString();
        WaitTicket ticket = claim.ticket();
        if (ticket == null) {
            return new String[] {owner, ttlMillis(claim), fence, greatest(claim), runId.onWire(), config};
        }
        return new String[] {
            owner,
            ttlMillis(claim),
            fence,
            greatest(claim),
            runId.onWire(),
            config,
            ticket.entry(),
            Long.toString(ticket.number()),
            ticket.fair() ? "1" : "0",
            Long.toString(claim.standing().ttl().toMillis()),
            claimsStand ? Long.toString(claim.standingAge().toMillis()) : "0"
        };
    }
}
