package io.holdfast.scoreboard.contestant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;

/** {@code SET NX PX} with a random value, and a script that compares it and deletes the key. */
public final class SetNxLocks implements Contestant, AutoCloseable {

    private static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private static final long POLL_MILLIS = 20;
    private static final int OWNER_BITS = 160;

    private final SecureRandom random = new SecureRandom();
    private final RedisClient client;
    private final RedisCommands<String, String> redis;
    private final SetArgs arguments;

    /** Connects to a server. */
    public SetNxLocks(String uri, Duration lease) {
        this.client = RedisClient.create(uri);
        StatefulRedisConnection<String, String> connection = client.connect();
        connection.setTimeout(lease);
        this.redis = connection.sync();
        this.arguments = SetArgs.Builder.nx().px(lease.toMillis());
    }

    @Override
    public Hold acquire(String resource, Runnable onLost) throws InterruptedException {
        String owner = new BigInteger(OWNER_BITS, random).toString(Character.MAX_RADIX);
        while (!"OK".equals(redis.set(resource, owner, arguments))) {
            Thread.sleep(POLL_MILLIS);
        }
        return Hold.withoutToken(() -> redis.eval(RELEASE, ScriptOutputType.INTEGER, new String[] {resource}, owner));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
