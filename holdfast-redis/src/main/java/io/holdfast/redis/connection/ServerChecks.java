package io.holdfast.redis.connection;

import io.holdfast.node.Finding;
import io.holdfast.node.NodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of the settings of a server, read from its {@code INFO}. */
public final class ServerChecks {

    private static final int SMALLEST_QUORUM_WITH_QUARANTINE = 3;
    private static final double NEARLY_FULL = 0.9;
    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})");

    private ServerChecks() {}

    /** Returns the reason why the server must not receive claims, or empty. */
    static Optional<String> rejection(Map<String, String> info) {
        if (isReplica(info)) {
            return Optional.of(
                    "it is a replica, which follows another server's votes; give only the address of its master");
        }
        String policy = info.getOrDefault("maxmemory_policy", "noeviction");
        if (!"noeviction".equals(policy) && !"0".equals(info.getOrDefault("maxmemory", "0"))) {
            return Optional.of("it evicts keys when memory is short (maxmemory-policy " + policy
                    + "), locks among them; set maxmemory-policy noeviction");
        }
        return Optional.empty();
    }

    static boolean isReplica(Map<String, String> info) {
        return !"master".equals(info.getOrDefault("role", "master"));
    }

    /** Returns the settings that may cause failures later. */
    public static List<Finding> findings(Map<String, String> info, NodeSettings settings) {
        List<Finding> findings = new ArrayList<>();
        if (isOlderThan62(info.getOrDefault("redis_version", "6.2"))) {
            findings.add(
                    Finding.error("Redis " + info.get("redis_version") + " is older than 6.2", "upgrade the server"));
        }
        boolean persists = "1".equals(info.get("aof_enabled"));
        boolean few = settings.config().nodes() < SMALLEST_QUORUM_WITH_QUARANTINE;
        if (!persists && !settings.guarded()) {
            findings.add(Finding.warning(
                    "it forgets its locks when it is restarted, and votes again before they have expired",
                    few
                            ? "use three nodes or more, or appendonly yes with appendfsync always"
                            : "remove --restarts durable, or set appendonly yes with appendfsync always"));
        } else if (persists && !settings.guarded()) {
            findings.add(Finding.note(
                    "it votes at once after a restart, which is safe only with appendfsync always",
                    "see CONFIG GET appendfsync"));
        }
        long used = number(info, "used_memory");
        long limit = number(info, "maxmemory");
        if (limit > 0 && used > NEARLY_FULL * limit) {
            findings.add(Finding.warning(
                    "its memory is nearly full (" + used + " of " + limit + " bytes); then it grants nothing",
                    "raise maxmemory"));
        }
        if (!"noeviction".equals(info.getOrDefault("maxmemory_policy", "noeviction"))) {
            findings.add(Finding.note(
                    "its maxmemory-policy is " + info.get("maxmemory_policy")
                            + ", which would evict locks as soon as maxmemory is set",
                    "set maxmemory-policy noeviction"));
        }
        return findings;
    }

    private static boolean isOlderThan62(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        return major < 6 || (major == 6 && Integer.parseInt(parts.group(2)) < 2);
    }

    private static long number(Map<String, String> info, String field) {
        String digits = info.getOrDefault(field, "0");
        return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
    }
}
