package io.holdfast.redis;

import java.util.List;

/** What a user of a server has to be allowed, in the words of {@code ACL SETUSER}, beside the key patterns of the locks. */
public final class LeastRights {

    /** The commands, with those of a connection. */
    public static final List<String> COMMANDS = List.of(
            "+get",
            "+mget",
            "+set",
            "+del",
            "+pttl",
            "+pexpire",
            "+hget",
            "+hmget",
            "+hset",
            "+hdel",
            "+time",
            "+zadd",
            "+zrem",
            "+zrange",
            "+zscore",
            "+zremrangebyscore",
            "+publish",
            "+subscribe",
            "+pubsub",
            "+eval",
            "+evalsha",
            "+info",
            "+hello",
            "+auth");

    private static final String WITHOUT_SCRIPTS =
            "+get +mget +set +del +pttl +time +watch +unwatch +multi +exec +info +hello +auth";

    private LeastRights() {}

    /** Those of a node that is asked by {@link Protocol#TRANSACTIONS}, in one line. */
    public static String withoutScripts() {
        return WITHOUT_SCRIPTS;
    }

    /** The commands in one line. */
    public static String text() {
        return String.join(" ", COMMANDS);
    }
}
