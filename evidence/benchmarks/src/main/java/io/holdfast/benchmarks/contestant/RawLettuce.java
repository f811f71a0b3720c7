package io.holdfast.benchmarks.contestant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * Lettuce without lock logic: {@code SET NX PX} with a random owner on all nodes at once, and compare-and-delete with a
 * script. It waits for a majority of the replies, whatever they are.
 */
public final class RawLettuce implements Contestant {

    private static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private final SecureRandom random = new SecureRandom();
    private final RedisClient client = RedisClient.create();
    private final List<StatefulRedisConnection<String, String>> connections;
    private final String release;

    public RawLettuce(List<String> uris) {
        this.connections =
                uris.stream().map(uri -> client.connect(RedisURI.create(uri))).toList();
        this.release = connections.stream()
                .map(connection -> connection.sync().scriptLoad(RELEASE))
                .reduce((first, second) -> first)
                .orElseThrow();
    }

    @Override
    public Runnable acquire(String resource) {
        String owner = new BigInteger(160, random).toString(Character.MAX_RADIX);
        SetArgs arguments = SetArgs.Builder.nx().px(30_000);
        await(connection -> connection.async().set(resource, owner, arguments));
        String[] keys = {resource};
        return () -> await(connection -> connection.async().evalsha(release, ScriptOutputType.INTEGER, keys, owner));
    }

    private void await(Function<StatefulRedisConnection<String, String>, RedisFuture<?>> command) {
        CountDownLatch majority = new CountDownLatch(connections.size() / 2 + 1);
        connections.forEach(
                connection -> command.apply(connection).whenComplete((reply, failure) -> majority.countDown()));
        try {
            majority.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
