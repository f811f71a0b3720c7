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
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One Lettuce connection to one server process. */
final class LettuceConnection implements RedisConnection {

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> freed = new CompletableFuture<>();
    private final PendingCommands pending = new PendingCommands();

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
        return begin(encoded(command.get(0), command.subList(1, command.size())));
    }

    @Override
    public CompletionStage<RedisReply> sendWhenWritten(String name, Supplier<List<String>> arguments) {
        return begin(new LateCommand(name, arguments));
    }

    private CompletionStage<RedisReply> begin(Command<String, String, Object> command) {
        return pending.count(() -> dispatch(command).handle(LettuceConnection::convert));
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

    private static Command<String, String, Object> encoded(String name, List<String> arguments) {
        CommandArgs<String, String> encoded = new CommandArgs<>(StringCodec.UTF8);
        arguments.forEach(encoded::add);
        return new Command<>(new CommandName(name), new ReplyOutput(), encoded);
    }

    private CompletionStage<Object> dispatch(Command<String, String, Object> command) {
        AsyncCommand<String, String, Object> sent = new AsyncCommand<>(command);
        try {
            connection.dispatch(sent);
        } catch (RuntimeException | Error e) {
            sent.completeExceptionally(e);
        }
        return sent;
    }

    private static RedisReply convert(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            return new RedisReply.Value(value);
        }
        return failure instanceof RedisCommandExecutionException
                ? new RedisReply.ServerError(String.valueOf(failure.getMessage()))
                : PendingCommands.CONNECTION_ENDED;
    }

    @Override
    public CompletableFuture<Void> close() {
        if (ended.complete(null)) {
            connection.closeAsync().whenComplete((done, failure) -> freed.complete(null));
        }
        return freed;
    }

    /** A command whose arguments are composed when Lettuce encodes it, on the thread that writes. */
    private static final class LateCommand extends Command<String, String, Object> {

        private final String name;
        private final Supplier<List<String>> arguments;

        LateCommand(String name, Supplier<List<String>> arguments) {
            super(new CommandName(name), new ReplyOutput());
            this.name = name;
            this.arguments = arguments;
        }

        @Override
        public void encode(ByteBuf buffer) {
            encoded(name, arguments.get()).encode(buffer);
        }
    }

    /** The name of a command, as Lettuce sends it. */
    private record CommandName(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
