package io.holdfast.redis.script;

import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.batch.ClaimBatches;
import io.holdfast.node.batch.InFlight;
import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.RunId;
import io.holdfast.redis.connection.ServerSession;
import io.holdfast.redis.keys.Keys;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sends claims by scripts, in the order of the calls. Thread-safe. */
final class ClaimScripts {

    private final Function<String, Keys> keysOf;
    private final String config;
    private final boolean claimsStand;
    private final boolean batches;
    /** The claims without a reply, so that a node that hangs costs bounded memory. A command may have many of them. */
    private final InFlight pending = new InFlight(PendingCommands.MAX_PENDING);

    /**
     * Creates a sender.
     *
     * @param keysOf returns the keys of a resource
     * @param config the configuration of the client, as it is stored in a marker
     * @param claimsStand {@code false} if a release by another client must not grant a lock to a waiter of this one
     * @param batches {@code true} if the keys of several locks may be in one command
     */
    ClaimScripts(Function<String, Keys> keysOf, String config, boolean claimsStand, boolean batches) {
        this.keysOf = keysOf;
        this.config = config;
        this.claimsStand = claimsStand;
        this.batches = batches;
    }

    /** Returns {@code true} if {@link #sendAll} may send the claim. */
    boolean canBatch(Claim claim) {
        return batches && ClaimBatches.accepts(claim);
    }

    /** Sends a claim; together with others, if other claims await a reply and more arrive before it is written. */
    CompletionStage<RedisReply> send(ServerSession server, RunId runId, Claim claim) {
        if (pending.count() > 0 && canBatch(claim)) {
            return sendAll(server, runId, List.of(claim)).get(0);
        }
        return pending.run(() -> sendAlone(server, runId, claim), () -> PendingCommands.TOO_MANY);
    }

    /** Sends claims that can be in a batch. If the server refuses the whole command, each is sent by itself. */
    List<CompletionStage<RedisReply>> sendAll(ServerSession server, RunId runId, List<Claim> claims) {
        List<CompletionStage<RedisReply>> replies = pending.runAll(
                claims.size(),
                () -> server.claims().send(claims, batch -> batch(runId).send(server.session(), batch)),
                () -> PendingCommands.TOO_MANY);
        return IntStream.range(0, claims.size())
                .mapToObj(i -> replies.get(i)
                        .thenCompose(reply -> reply == ClaimBatch.ALONE
                                ? sendAlone(server, runId, claims.get(i))
                                : CompletableFuture.completedFuture(reply)))
                .toList();
    }

    private ClaimBatch batch(RunId runId) {
        return new ClaimBatch(claim -> call(runId, claim), keysOf, runId, config);
    }

    private CompletionStage<RedisReply> sendAlone(ServerSession server, RunId runId, Claim claim) {
        Script.Call call = call(runId, claim);
        return server.claims().sendAlone(() -> call.script().on(server.session(), call.keys(), call.args()));
    }

    private Script.Call call(RunId runId, Claim claim) {
        WaitTicket ticket = claim.ticket();
        Keys keys = keysOf.apply(claim.resource());
        String owner = claim.owner().token();
        String ttlMillis = Long.toString(claim.ttl().toMillis());
        String greatest = claim.greatestFence().toString();
        boolean shared = claim.isShared();
        return switch (claim.action()) {
            case ACQUIRE -> (shared ? Script.ACQUIRE_SHARED : Script.ACQUIRE).with(keys, acquisition(runId, claim));
            case EXTEND -> (shared ? Script.EXTEND_SHARED : Script.EXTEND).with(keys, owner, ttlMillis);
            case QUERY -> Script.QUERY.with(keys, owner, ticket == null ? "" : ticket.entry());
            case REPAIR ->
                (shared ? Script.REPAIR_SHARED : Script.REPAIR)
                        .with(keys, owner, ttlMillis, greatest, runId.onWire(), config);
            case RELEASE ->
                (shared ? Script.RELEASE_SHARED : Script.RELEASE)
                        .with(
                                keys,
                                owner,
                                greatest,
                                ticket == null ? "" : ticket.entry(),
                                ticket == null ? "" : Long.toString(ticket.number()),
                                claim.requeued() ? "1" : "0",
                                claim.servesNext() ? "1" : "0",
                                runId.onWire());
            case RETAIN -> (shared ? Script.RETAIN_SHARED : Script.RETAIN).with(keys, owner, ttlMillis, greatest);
        };
    }

    /** Returns the arguments of an acquire. Those of a waiter are left out where there is none. */
    private String[] acquisition(RunId runId, Claim claim) {
        WaitTicket ticket = claim.ticket();
        Stream<String> terms = Stream.of(
                claim.owner().token(),
                Long.toString(claim.ttl().toMillis()),
                claim.fence().toString(),
                claim.greatestFence().toString(),
                runId.onWire(),
                config);
        Stream<String> waiter = ticket == null
                ? Stream.empty()
                : Stream.of(
                        ticket.entry(),
                        Long.toString(ticket.number()),
                        ticket.fair() ? "1" : "0",
                        Long.toString(claim.standing().ttl().toMillis()),
                        claimsStand ? Long.toString(claim.standingAge().toMillis()) : "0");
        return Stream.concat(terms, waiter).toArray(String[]::new);
    }
}
