package io.holdfast.redis.client;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a user of a server has to be allowed, in the words of {@code ACL SETUSER}, beside the key patterns of the locks. */
public final class RequiredAcl {

    /** Each command as it may be used, on a key and a channel of Holdfast. */
    private static final List<String> USES = List.of(
            "get holdfast:marker",
            "mget holdfast:marker",
            "set holdfast:marker x",
            "del holdfast:marker",
            "pttl holdfast:marker",
            "pexpire holdfast:marker 1",
            "hget holdfast:marker x",
            "hmget holdfast:marker x",
            "hset holdfast:marker x x",
            "hdel holdfast:marker x",
            "time",
            "zadd holdfast:marker 1 x",
            "zrem holdfast:marker x",
            "zrange holdfast:marker 0 0",
            "zscore holdfast:marker x",
            "zremrangebyscore holdfast:marker 0 0",
            "publish holdfast:inbox:x x",
            "subscribe holdfast:inbox:x",
            "pubsub numsub",
            "eval x 0",
            "evalsha x 0",
            "info",
            "hello",
            "auth x");

    private static final String WITHOUT_SCRIPTS =
            "+get +mget +set +del +pttl +time +watch +unwatch +multi +exec +info +hello +auth";

    private static final String WAIT = "wait 0 0";
    private static final String SLOTS = "cluster slots";

    /** What is needed besides where a lock counts once replicas have it. */
    public static final String FOR_REPLICAS = right(WAIT);

    /** What is needed besides for a cluster. */
    public static final String FOR_CLUSTERS = right(SLOTS);

    private RequiredAcl() {}

    /** Those of a node that is asked by {@link LockProtocol#TRANSACTIONS}, in one line. */
    public static String withoutScripts() {
        return WITHOUT_SCRIPTS;
    }

    /** The commands in one line. */
    public static String text() {
        return USES.stream().map(RequiredAcl::right).collect(Collectors.joining(" "));
    }

    /** What a command needs to be allowed. */
    public static String right(String use) {
        return use.equals(SLOTS) ? "+cluster|slots" : "+" + use.replaceFirst(" .*", "");
    }

    /**
     * For each command something that may be tried.
     *
     * @param replicas whether a lock counts once replicas have it
     * @param shard whether the server is a part of a cluster
     */
    public static List<String> uses(boolean replicas, boolean shard) {
        return Stream.of(
                        USES.stream(),
                        replicas ? Stream.of(WAIT) : Stream.<String>empty(),
                        shard ? Stream.of(SLOTS) : Stream.<String>empty())
                .flatMap(uses -> uses)
                .toList();
    }
}
