package io.holdfast.redis.connection;

import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerErrors;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server says about itself when a connection to it begins, and whether it may be a node.
 *
 * @param run the identity of its process; empty where it does not matter or is not told
 * @param past the history that it followed before its last promotion: a change says that its role has changed
 * @param objection why it is no node, with the remedy; null: it is one
 * @param unknown why nothing is known, since there was no answer, or none yet; null: there was one
 */
public record ServerIdentity(
        String run, String past, @Nullable String objection, RedisReply.@Nullable Lost unknown) {

    /** Why the server gets no claim now, or null. */
    @Nullable
    String reasonAgainst() {
        return unknown != null ? unknown.cause() : objection;
    }

    /** From what the server answered to {@code INFO}. */
    public static ServerIdentity of(
            RedisReply answer, String name, NodeSettings settings, DistinctServers distinctServers, boolean shard) {
        if (answer instanceof RedisReply.Lost lost) {
            return new ServerIdentity("", "", null, lost);
        } else if (answer instanceof RedisReply.Value value && value.value() instanceof String text) {
            return judge(fields(text), name, settings, distinctServers, shard);
        }
        return untold(answer, settings);
    }

    /** Without its run nobody can tell whether a server was restarted, and a marker may be as old as a snapshot. */
    private static ServerIdentity untold(RedisReply answer, NodeSettings settings) {
        String error = answer instanceof RedisReply.ServerError refusal ? refusal.message() : "";
        if (!error.startsWith("NOPERM")) {
            return new ServerIdentity("", "", null, new RedisReply.Lost(false, ServerErrors.explain(error)));
        }
        return new ServerIdentity(
                "",
                "",
                settings.guarded()
                        ? "its user may not say INFO, so a restart would go unnoticed: grant +info, or declare the nodes durable"
                        : null,
                null);
    }

    private static ServerIdentity judge(
            Map<String, String> info,
            String name,
            NodeSettings settings,
            DistinctServers distinctServers,
            boolean shard) {
        String run = info.getOrDefault("run_id", "");
        String objection = objection(info, run, name, distinctServers, shard);
        return new ServerIdentity(
                settings.guarded() ? run : "", info.getOrDefault("master_replid2", ""), objection, null);
    }

    static @Nullable String objection(
            Map<String, String> info, String run, String name, DistinctServers distinctServers, boolean shard) {
        Optional<String> unfit = ServerChecks.objection(info);
        if (unfit.isPresent()) {
            return unfit.get();
        }
        if ("1".equals(info.get("cluster_enabled")) != shard) {
            return shard
                    ? "it is no shard of a cluster; write redis://host:6379"
                    : "it is a shard of a cluster, which keeps a part of the keys; give independent masters, or the cluster as"
                            + " one node: redis-cluster://host:6379";
        }
        return distinctServers
                .introduce(name, run)
                .map(other ->
                        "it is the same server as " + other + "; each node has one vote, so name each server once")
                .orElse(null);
    }

    public static Map<String, String> fields(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return fields;
    }
}
