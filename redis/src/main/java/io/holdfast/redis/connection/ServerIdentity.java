package io.holdfast.redis.connection;

import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerErrors;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The verdict about a server, from its reply to {@code INFO}: fit to be the node, unfit, or not known. */
sealed interface ServerIdentity {

    /** The rejection of a shard of a cluster. It ends by itself, when the map of slots names the new master. */
    String DEMOTED =
            "it has become a replica; the next attempt goes to the shard that serves the slot of this name now";

    /** The rejection of a server whose user may not read anything about it. */
    String NOT_PERMITTED = "its user may not call INFO, so nothing shows whether it is a master, keeps its keys and was"
            + " restarted; grant +info";

    /** Returns the reason why the server receives no claim now, or null. */
    default @Nullable String reasonAgainst() {
        return null;
    }

    /** Returns the reason why the server must not be a node, with the remedy; null if it may be one or is not known. */
    default @Nullable String rejection() {
        return null;
    }

    /**
     * A server that may be the node.
     *
     * @param run the process that claims name
     * @param history the replication history before its last promotion, which changes with its role; null if unknown
     */
    record Fit(RunId run, @Nullable String history) implements ServerIdentity {}

    /** A server that must not be the node. */
    record Unfit(String rejection) implements ServerIdentity {

        @Override
        public String reasonAgainst() {
            return rejection;
        }
    }

    /** A server that did not answer the question. */
    record Unknown(RedisReply.NoReply failure) implements ServerIdentity {

        @Override
        public String reasonAgainst() {
            return failure.cause();
        }
    }

    /** Returns the outcome of a claim that was not sent for this reason. */
    default RedisReply.NoReply noReply(String reason) {
        boolean lasting = this instanceof Unknown unknown ? unknown.failure().lasting() : !DEMOTED.equals(reason);
        return new RedisReply.NoReply(false, reason, lasting);
    }

    /** Returns the identity of the server that sent this reply to {@code INFO}. */
    static ServerIdentity of(
            RedisReply reply, String name, NodeSettings settings, DistinctServers distinctServers, boolean shard) {
        if (reply instanceof RedisReply.NoReply none) {
            return new Unknown(none);
        } else if (reply instanceof RedisReply.ServerError error) {
            return failed(error.message());
        }
        Optional<ServerInfo> info = ServerInfo.of(reply);
        if (info.isEmpty()) {
            return new Unfit("it replies to INFO with something other than text" + ServerChecks.SHORTENED);
        }
        Optional<String> rejection = ServerChecks.rejection(info.get(), settings, shard)
                .or(() -> duplicate(info.get(), name, distinctServers));
        return rejection.<ServerIdentity>map(Unfit::new).orElseGet(() -> fit(info.get(), settings));
    }

    private static ServerIdentity failed(String error) {
        return MissingRight.isCauseOf(error)
                ? new Unfit(NOT_PERMITTED)
                : new Unknown(
                        new RedisReply.NoReply(false, ServerErrors.explain(error), ServerErrors.isLasting(error)));
    }

    private static Optional<String> duplicate(ServerInfo info, String name, DistinctServers distinctServers) {
        return distinctServers
                .register(name, info.runId())
                .map(other ->
                        "it is the same server as " + other + "; each node has one vote, so name each server once");
    }

    /** The checks have ensured that a guarded node has an id. */
    private static Fit fit(ServerInfo info, NodeSettings settings) {
        RunId run = settings.guarded() ? info.runId().orElseThrow() : RunId.DURABLE;
        return new Fit(run, info.replicationHistory().orElse(null));
    }
}
