package io.holdfast.testkit.hostile;

import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.ConnectFailures;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Connects, without a network, to a server that replies at random. */
final class HostileConnector implements RedisConnector {

    private static final String INFO =
            "run_id:%040d\r\nrole:master\r\nredis_version:8.0.0\r\nmaxmemory_policy:noeviction\r\nmaster_replid2:"
                    + "0".repeat(40) + "\r\ncluster_enabled:%d\r\n";
    private static final int MOST_DELAY_MILLIS = 80;

    /** The number of open connections. */
    static final AtomicInteger OPEN = new AtomicInteger();

    private final ServerAddress address;
    private final Random random;
    private final HostileValues values;
    private final Time time;
    private final boolean shard;

    HostileConnector(ServerAddress address, Random random, Time time, boolean shard) {
        this.address = address;
        this.random = random;
        this.values = new HostileValues(random);
        this.time = time;
        this.shard = shard;
    }

    @Override
    public String name() {
        return address.name();
    }

    @Override
    public CompletionStage<RedisConnection> connect() {
        return random.nextInt(10) == 0
                ? CompletableFuture.failedFuture(new IllegalStateException(values.text(20)))
                : CompletableFuture.completedFuture(new HostileConnection());
    }

    @Override
    public ConnectFailure explain(Throwable failure) {
        return ConnectFailures.explain(failure, cause -> null);
    }

    private final class HostileConnection implements RedisConnection {

        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        HostileConnection() {
            OPEN.incrementAndGet();
        }

        @Override
        public CompletionStage<RedisReply> send(List<String> command) {
            CompletableFuture<RedisReply> reply = new CompletableFuture<>();
            RedisReply chosen = command.get(0).equals("INFO") && random.nextInt(8) > 0 ? info() : replyTo(command);
            if (random.nextInt(3) == 0) {
                reply.complete(chosen);
            } else {
                time.schedule(Duration.ofMillis(random.nextInt(MOST_DELAY_MILLIS)), () -> reply.complete(chosen));
            }
            return reply;
        }

        private RedisReply replyTo(List<String> command) {
            boolean isPage = command.get(0).equals("SCAN") || command.get(0).equals("CLUSTER");
            return isPage && random.nextInt(20) > 0
                    ? new RedisReply.Value(List.of("0", List.of("{a}:holdfast:fence")))
                    : values.reply();
        }

        private RedisReply info() {
            return new RedisReply.Value(INFO.formatted(address.port(), shard ? 1 : 0));
        }

        @Override
        public CompletionStage<RedisReply> subscribe(String channel, Consumer<String> consumer) {
            for (int i = random.nextInt(20); i > 0; i--) {
                time.schedule(Duration.ofMillis(random.nextInt(3_000)), () -> consumer.accept(values.message()));
            }
            return CompletableFuture.completedFuture(new RedisReply.Value(List.of("subscribe")));
        }

        @Override
        public CompletableFuture<Void> ended() {
            return ended;
        }

        @Override
        public boolean hasReplied() {
            return random.nextBoolean();
        }

        @Override
        public CompletableFuture<Void> close() {
            if (ended.complete(null)) {
                OPEN.decrementAndGet();
            }
            return ended;
        }
    }
}
