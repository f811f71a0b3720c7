package io.holdfast.redis.client;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The permissions that a node needs on its server, as rules of {@code ACL SETUSER}, in addition to the key patterns of
 * the locks.
 */
public final class RequiredAcl {

    /** Examples of the commands of all nodes, on a key of Holdfast. */
    private static final List<String> COMMON = List.of(
            "get holdfast:marker",
            "mget holdfast:marker",
            "set holdfast:marker x",
            "del holdfast:marker",
            "pttl holdfast:marker",
            "pexpire holdfast:marker 1",
            "time",
            "zadd holdfast:marker 1 x",
            "zrange holdfast:marker 0 0",
            "zremrangebyscore holdfast:marker 0 0",
            "info",
            "hello",
            "auth x");

    private static final List<String> OF_SCRIPTS = List.of(
            "hget holdfast:marker x",
            "hmget holdfast:marker x",
            "hset holdfast:marker x x",
            "hdel holdfast:marker x",
            "zrem holdfast:marker x",
            "zscore holdfast:marker x",
            "publish holdfast:inbox:x x",
            "subscribe holdfast:inbox:x",
            "pubsub numsub",
            "eval x 0",
            "evalsha x 0");

    /** An example of each command that a node with {@link LockProtocol#TRANSACTIONS} sends, for a dry run. */
    public static final List<String> WITHOUT_SCRIPTS = Stream.concat(
                    COMMON.stream(), Stream.of("watch holdfast:marker", "unwatch", "multi", "exec"))
            .toList();

    private static final String WAIT = "wait 0 0";
    private static final String SLOTS = "cluster slots";

    /** The additional permission of a client that waits for replicas. */
    public static final String FOR_REPLICAS = permission(WAIT);

    /** The additional permission of a client of a cluster. */
    public static final String FOR_CLUSTERS = permission(SLOTS);

    private RequiredAcl() {}

    /** Returns the permissions of a node that uses scripts, in one line. */
    public static String text() {
        return text(examples(false, false));
    }

    /** Returns the permissions that the commands need, in one line. */
    public static String text(List<String> commands) {
        return commands.stream().map(RequiredAcl::permission).collect(Collectors.joining(" "));
    }

    /** Returns the permission that the command needs. */
    public static String permission(String command) {
        return command.equals(SLOTS) ? "+cluster|slots" : "+" + command.replaceFirst(" .*", "");
    }

    /**
     * Returns an example of each command that a node with scripts sends, for a dry run.
     *
     * @param replicas {@code true} if the client waits for replicas
     * @param shard {@code true} if the server is a shard of a cluster
     */
    public static List<String> examples(boolean replicas, boolean shard) {
        return Stream.of(
                        COMMON.stream(),
                        OF_SCRIPTS.stream(),
                        replicas ? Stream.of(WAIT) : Stream.<String>empty(),
                        shard ? Stream.of(SLOTS) : Stream.<String>empty())
                .flatMap(examples -> examples)
                .toList();
    }
}
