package io.holdfast.redis.connection;

import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerErrors;
import io.holdfast.redis.client.ServerText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a server, from its reply to {@code INFO}.
 *
 * @param runId the run id of its process; empty if the node is declared durable, or the user may not read it
 * @param replid2 the replication history that it followed before its last promotion; changes with its role
 * @param rejection the reason why it must not be a node, with the remedy, or null
 * @param unknown the failure of {@code INFO}, or null if there was a reply
 */
public record ServerIdentity(
        String runId, String replid2, @Nullable String rejection, RedisReply.@Nullable NoReply unknown) {

    /** The rejection of a shard of a cluster. It ends by itself, when the map of slots names the new master. */
    private static final String DEMOTED =
            "it has become a replica; the next attempt goes to the shard that serves the slot of this name now";

    /** Returns the reason why the server receives no claim now, or null. */
    @Nullable
    String reasonAgainst() {
        return unknown != null ? unknown.cause() : rejection;
    }

    /** Returns the outcome of a claim that was not sent for this reason. */
    RedisReply.NoReply noReply(String reason) {
        boolean lasting = unknown == null ? !DEMOTED.equals(rejection) : unknown.lasting();
        return new RedisReply.NoReply(false, reason, lasting);
    }

    /** Returns the identity of the server that sent this reply to {@code INFO}. */
    public static ServerIdentity of(
            RedisReply reply, String name, NodeSettings settings, DistinctServers distinctServers, boolean shard) {
        if (reply instanceof RedisReply.NoReply none) {
            return new ServerIdentity("", "", null, none);
        } else if (reply instanceof RedisReply.Value value && value.value() instanceof String text) {
            return check(fields(text), name, settings, distinctServers, shard);
        }
        return withoutInfo(reply, settings);
    }

    /**
     * Rejects a server without a run id, unless it is durable: a restart would go unnoticed, and its marker may be
     * outdated.
     */
    private static ServerIdentity withoutInfo(RedisReply reply, NodeSettings settings) {
        String error = reply instanceof RedisReply.ServerError refused ? refused.message() : "";
        if (!MissingRight.isCauseOf(error)) {
            return new ServerIdentity(
                    "",
                    "",
                    null,
                    new RedisReply.NoReply(false, ServerErrors.explain(error), ServerErrors.isLasting(error)));
        }
        return new ServerIdentity(
                "",
                "",
                settings.guarded()
                        ? "its user may not call INFO, so a restart would go unnoticed: grant +info, or declare the"
                                + " nodes durable"
                        : null,
                null);
    }

    private static ServerIdentity check(
            Map<String, String> info,
            String name,
            NodeSettings settings,
            DistinctServers distinctServers,
            boolean shard) {
        String runId = info.getOrDefault("run_id", "");
        String rejection = rejection(info, runId, name, distinctServers, shard);
        return new ServerIdentity(
                settings.guarded() ? runId : "", info.getOrDefault("master_replid2", ""), rejection, null);
    }

    /** Returns the reason why a server with this {@code INFO} must not be the node, or null. */
    static @Nullable String rejection(
            Map<String, String> info, String runId, String name, DistinctServers distinctServers, boolean shard) {
        if (shard && ServerChecks.isReplica(info)) {
            return DEMOTED;
        }
        Optional<String> unsuitable = ServerChecks.rejection(info);
        if (unsuitable.isPresent()) {
            return unsuitable.get();
        }
        if ("1".equals(info.get("cluster_enabled")) != shard) {
            return shard
                    ? "it is no shard of a cluster; write redis://host:6379"
                    : "it is a shard of a cluster, which keeps a part of the keys; give independent masters, or the"
                            + " cluster as one node: redis-cluster://host:6379";
        }
        return distinctServers
                .register(name, runId)
                .map(other ->
                        "it is the same server as " + other + "; each node has one vote, so name each server once")
                .orElse(null);
    }

    /**
     * Returns the fields of a reply to {@code INFO}. They are a hundred, and a short process reads them before its first
     * claim; a loop takes a fifth of the time of a stream there.
     */
    public static Map<String, String> fields(String info) {
        Map<String, String> fields = new HashMap<>();
        int end;
        for (int start = 0; start < info.length(); start = end + 1) {
            int newline = info.indexOf('\n', start);
            end = newline < 0 ? info.length() : newline;
            int colon = info.indexOf(':', start);
            if (colon > start && colon < end) {
                String value = info.substring(colon + 1, end).strip();
                fields.put(info.substring(start, colon), ServerText.line(value));
            }
        }
        return fields;
    }
}
