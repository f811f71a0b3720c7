package io.holdfast.lettuce;

import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.time.Time;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One Lettuce connection to one server process. */
final class LettuceConnection implements RedisConnection {

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> freed = new CompletableFuture<>();
    private final PendingCommands pending = new PendingCommands();
    private final Set<String> sentScripts = ConcurrentHashMap.newKeySet();

    LettuceConnection(StatefulRedisPubSubConnection<String, String> connection, Time time) {
        this.connection = connection;
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                close();
            }
        });
        if (!connection.isOpen()) {
            close();
        }
        pending.closeWhenSilent(this, time);
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public boolean hasReplied() {
        return pending.hasReplied();
    }

    @Override
    public CompletionStage<RedisReply> send(List<String> command) {
        return sendWhenWritten(command.get(0), () -> command.subList(1, command.size()));
    }

    @Override
    public CompletionStage<RedisReply> sendWhenWritten(String name, Supplier<List<String>> arguments) {
        return pending.count(() -> dispatch(new SentCommand(name, arguments, this::close)));
    }

    @Override
    public boolean sendsFirst(String digest) {
        return sentScripts.add(digest);
    }

    /** Subscribes only with RESP3. With RESP2, a connection that has subscribed accepts no other command. */
    @Override
    public CompletionStage<RedisReply> subscribe(String channel, Consumer<String> consumer) {
        if (!speaksResp3()) {
            return CompletableFuture.completedFuture(new RedisReply.NoReply(false, "does not speak RESP3"));
        }
        return pending.count(() -> {
            listen(channel, consumer);
            return connection.async().subscribe(channel).handle(LettuceConnection::convert);
        });
    }

    private void listen(String channel, Consumer<String> consumer) {
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String source, String message) {
                if (source.equals(channel)) {
                    consumer.accept(message);
                }
            }
        });
    }

    private boolean speaksResp3() {
        return connection instanceof StatefulRedisConnectionImpl<?, ?> known
                && known.getConnectionState().getNegotiatedProtocolVersion() == ProtocolVersion.RESP3;
    }

    private CompletionStage<RedisReply> dispatch(SentCommand command) {
        try {
            connection.dispatch(command);
        } catch (RuntimeException | Error e) {
            command.completeExceptionally(e);
        }
        return command.reply();
    }

    private static RedisReply convert(@Nullable Object value, @Nullable Throwable failure) {
        return failure == null ? new RedisReply.Value(value) : SentCommand.replyOf(failure);
    }

    @Override
    public CompletableFuture<Void> close() {
        if (ended.complete(null)) {
            connection.closeAsync().whenComplete((done, failure) -> freed.complete(null));
        }
        return freed;
    }
}
