package io.holdfast.lettuce;

import io.holdfast.redis.Answer;
import io.holdfast.redis.RedisSession;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one run of a server, from its making to its end. It is ended when the server has been silent for 10 s
 * while commands waited: whoever waits for them is then answered, and a new connection may fare better.
 */
final class Line implements RedisSession {

    /** How many commands may wait for their answers: a node that hangs costs bounded memory. */
    static final int MAX_PENDING = 20_000;

    private static final Duration SILENCE_CHECK = Duration.ofSeconds(1);
    private static final int SILENT_CHECKS = 10;

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final Time time;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> freed = new CompletableFuture<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong heard = new AtomicLong();

    Line(StatefulRedisPubSubConnection<String, String> connection, Time time) {
        this.connection = connection;
        this.time = time;
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                close();
            }
        });
        if (!connection.isOpen()) {
            close();
        }
        listenForSilence(0, 0);
    }

    /** Completes when the connection has ended, for whatever reason. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Whether the server has ever answered a command on it. */
    boolean hasHeard() {
        return heard.get() > 0;
    }

    @Override
    public CompletionStage<Answer> send(List<String> command) {
        if (pending.incrementAndGet() > MAX_PENDING) {
            pending.decrementAndGet();
            return CompletableFuture.completedFuture(
                    new Answer.Lost(false, MAX_PENDING + " commands wait for an answer already"));
        }
        return dispatch(command).handle(this::answer);
    }

    /** Only with RESP3: without it, a connection that has subscribed carries no other command. */
    @Override
    public CompletionStage<Answer> subscribe(String channel, Consumer<String> consumer) {
        if (!speaksResp3()) {
            return CompletableFuture.completedFuture(new Answer.Lost(false, "does not speak RESP3"));
        }
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String from, String message) {
                if (from.equals(channel)) {
                    consumer.accept(message);
                }
            }
        });
        pending.incrementAndGet();
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

    private Answer answer(@Nullable Object value, @Nullable Throwable failure) {
        pending.decrementAndGet();
        boolean replied = failure == null || failure instanceof RedisCommandExecutionException;
        if (!replied) {
            return new Answer.Lost(true, "the connection ended before the answer came");
        }
        heard.incrementAndGet();
        return failure == null ? new Answer.Value(value) : new Answer.ServerError(String.valueOf(failure.getMessage()));
    }

    /** Counts checks instead of comparing clocks, so that a pause of this process is not taken for the server's silence. */
    private void listenForSilence(long heardBefore, int silentChecks) {
        if (ended.isDone()) {
            return;
        }
        long heardNow = heard.get();
        int silent = pending.get() > 0 && heardNow == heardBefore ? silentChecks + 1 : 0;
        if (silent > SILENT_CHECKS) {
            close();
        } else {
            time.schedule(SILENCE_CHECK, () -> listenForSilence(heardNow, silent));
        }
    }

    /** Ends the connection; the stage completes when its resources are free. */
    CompletableFuture<Void> close() {
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
