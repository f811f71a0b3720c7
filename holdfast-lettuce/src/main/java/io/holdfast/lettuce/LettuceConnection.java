package io.holdfast.lettuce;

import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.time.Time;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection to one run of a server, from its making to its end. */
final class LettuceConnection implements RedisConnection {

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> freed = new CompletableFuture<>();
    private final PendingCommands traffic = new PendingCommands();

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
        traffic.watch(this, time);
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public boolean hasHeard() {
        return traffic.hasHeard();
    }

    @Override
    public CompletionStage<RedisReply> send(List<String> command) {
        return traffic.begin()
                ? dispatch(command).handle(this::answer)
                : CompletableFuture.completedFuture(PendingCommands.TOO_MUCH);
    }

    /** Only with RESP3: without it, a connection that has subscribed carries no other command. */
    @Override
    public CompletionStage<RedisReply> subscribe(String channel, Consumer<String> consumer) {
        if (!speaksResp3()) {
            return CompletableFuture.completedFuture(new RedisReply.Lost(false, "does not speak RESP3"));
        }
        if (!traffic.begin()) {
            return CompletableFuture.completedFuture(PendingCommands.TOO_MUCH);
        }
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String from, String message) {
                if (from.equals(channel)) {
                    consumer.accept(message);
                }
            }
        });
        return connection.async().subscribe(channel).handle(this::answer);
    }

    private boolean speaksResp3() {
        return connection instanceof StatefulRedisConnectionImpl<?, ?> known
                && known.getConnectionState().getNegotiatedProtocolVersion() == ProtocolVersion.RESP3;
    }

    private CompletionStage<Object> dispatch(List<String> command) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        command.subList(1, command.size()).forEach(arguments::add);
        AsyncCommand<String, String, Object> sent =
                new AsyncCommand<>(new Command<>(new Word(command.get(0)), new ReplyOutput(), arguments));
        try {
            connection.dispatch(sent);
        } catch (RuntimeException e) {
            sent.completeExceptionally(e);
        }
        return sent;
    }

    private RedisReply answer(@Nullable Object value, @Nullable Throwable failure) {
        RedisReply answer = meaning(value, failure);
        traffic.end(answer);
        return answer;
    }

    private static RedisReply meaning(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            return new RedisReply.Value(value);
        }
        return failure instanceof RedisCommandExecutionException
                ? new RedisReply.ServerError(String.valueOf(failure.getMessage()))
                : PendingCommands.CUT_OFF;
    }

    @Override
    public CompletableFuture<Void> close() {
        if (ended.complete(null)) {
            connection.closeAsync().whenComplete((done, failure) -> freed.complete(null));
        }
        return freed;
    }

    /** A command's name. */
    private record Word(String word) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return word.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
