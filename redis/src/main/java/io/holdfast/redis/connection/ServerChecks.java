package io.holdfast.redis.connection;

import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.NodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of the settings of a server, read from its {@code INFO}. */
public final class ServerChecks {

    private static final int SMALLEST_QUORUM_WITH_QUARANTINE = 3;
    private static final double NEARLY_FULL = 0.9;
    private static final String POLICY = "maxmemory_policy";
    private static final String LIMIT = "maxmemory";
    private static final String KEEPS_ALL = "noeviction";
    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})");

    private ServerChecks() {}

    /** The remedy where {@code INFO} lacks a field; all tested servers have all of them. */
    static final String SHORTENED =
            "; give a Redis or Valkey server itself, and no product, proxy or service that shortens INFO";

    /**
     * Returns the reason why the server must not receive claims, or empty. A field that decides and is not there is a
     * reason: an older Dragonfly that evicts keys differs from one that does not in a missing field alone.
     */
    static Optional<String> rejection(ServerInfo info, NodeSettings settings, boolean shard) {
        return role(info, shard)
                .or(() -> eviction(info))
                .or(() -> cluster(info, shard))
                .or(() -> process(info, settings));
    }

    private static Optional<String> role(ServerInfo info, boolean shard) {
        Optional<Boolean> isReplica = info.isReplica();
        if (isReplica.isEmpty()) {
            return missing("role", "it may be a replica, which follows another server's votes");
        } else if (!isReplica.get()) {
            return Optional.empty();
        }
        return Optional.of(
                shard
                        ? ServerIdentity.DEMOTED
                        : "it is a replica, which follows another server's votes; give only the address of its"
                                + " master");
    }

    private static Optional<String> eviction(ServerInfo info) {
        Optional<String> policy = info.text(POLICY);
        if (policy.isEmpty()) {
            return missing(POLICY, "it may evict keys, locks among them");
        } else if (policy.get().equals(KEEPS_ALL)) {
            return Optional.empty();
        }
        OptionalLong limit = info.number(LIMIT);
        return limit.isPresent() && limit.getAsLong() == 0
                ? Optional.empty()
                : Optional.of("it evicts keys when memory is short (maxmemory-policy " + policy.get()
                        + "), locks among them; set maxmemory-policy noeviction");
    }

    private static Optional<String> cluster(ServerInfo info, boolean shard) {
        Optional<Boolean> enabled = info.flag("cluster_enabled");
        if (enabled.isEmpty()) {
            return missing("cluster_enabled", "it may keep only a part of the keys");
        } else if (enabled.get() == shard) {
            return Optional.empty();
        }
        return Optional.of(
                shard
                        ? "it is no shard of a cluster; write redis://host:6379"
                        : "it is a shard of a cluster, which keeps a part of the keys; give independent masters, or the"
                                + " cluster as one node: redis-cluster://host:6379");
    }

    /**
     * Rejects a server whose restart or second name would go unnoticed. A single node without quarantine has neither.
     */
    private static Optional<String> process(ServerInfo info, NodeSettings settings) {
        if (settings.guarded() && info.replicationHistory().isEmpty()) {
            return missing("master_replid2", "a failover that makes it forget its votes would go unnoticed");
        } else if (info.runId().isPresent()) {
            return Optional.empty();
        } else if (settings.guarded()) {
            return missing("run_id", "a restart that makes it forget its votes would go unnoticed");
        }
        return settings.config().nodes() == 1
                ? Optional.empty()
                : missing("run_id", "it may be the same server as another node");
    }

    private static Optional<String> missing(String field, String danger) {
        return Optional.of("its INFO has no valid " + field + ", so " + danger + SHORTENED);
    }

    /** Returns the settings that may cause failures later. */
    public static List<Finding> findings(ServerInfo info, NodeSettings settings) {
        List<Finding> findings = new ArrayList<>();
        info.text("redis_version")
                .filter(ServerChecks::isOlderThan62)
                .ifPresent(version ->
                        findings.add(Finding.error("Redis " + version + " is older than 6.2", "upgrade the server")));
        if (!settings.guarded()) {
            findings.add(persistence(info, settings));
        }
        findings.addAll(memory(info));
        if (!info.text(POLICY).equals(Optional.of(KEEPS_ALL))) {
            findings.add(Finding.note(
                    "its maxmemory-policy is " + info.text(POLICY).orElse("unknown")
                            + ", which would evict locks as soon as maxmemory is set",
                    "set maxmemory-policy noeviction"));
        }
        return findings;
    }

    private static Finding persistence(ServerInfo info, NodeSettings settings) {
        if (info.flag("aof_enabled").orElse(false)) {
            return Finding.note(
                    "it votes at once after a restart, which is safe only with appendfsync always",
                    "see CONFIG GET appendfsync");
        }
        boolean few = settings.config().nodes() < SMALLEST_QUORUM_WITH_QUARANTINE;
        return Finding.warning(
                "it forgets its locks when it is restarted, and votes again before they have expired",
                few
                        ? "use three nodes or more, or appendonly yes with appendfsync always"
                        : "remove --restarts durable, or set appendonly yes with appendfsync always");
    }

    private static List<Finding> memory(ServerInfo info) {
        OptionalLong used = info.number("used_memory");
        OptionalLong limit = info.number(LIMIT);
        if (used.isEmpty() || limit.isEmpty()) {
            return List.of(Finding.note(
                    "its INFO does not say how much memory is free; a full server grants nothing",
                    "watch its memory by other means"));
        }
        if (limit.getAsLong() == 0 || used.getAsLong() <= NEARLY_FULL * limit.getAsLong()) {
            return List.of();
        }
        String amount = " (" + used.getAsLong() + " of " + limit.getAsLong() + " bytes)";
        return List.of(
                isFull(info, used.getAsLong(), limit.getAsLong())
                        ? Finding.error("its memory is full" + amount + ": it grants nothing", "raise maxmemory")
                        : Finding.warning(
                                "its memory is nearly full" + amount + "; then it grants nothing", "raise maxmemory"));
    }

    /** The limit does not apply to the buffers of replicas and of the append-only file. */
    private static boolean isFull(ServerInfo info, long used, long limit) {
        OptionalLong buffers = info.number("mem_not_counted_for_evict");
        return buffers.isPresent() && used - buffers.getAsLong() > limit;
    }

    private static boolean isOlderThan62(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        return major < 6 || (major == 6 && Integer.parseInt(parts.group(2)) < 2);
    }
}
