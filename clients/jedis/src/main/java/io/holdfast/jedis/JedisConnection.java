package io.holdfast.jedis;

import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One Jedis connection to one server process. Jedis blocks, so one thread writes commands in batches, and another reads
 * the replies, which arrive in the order of the commands.
 *
 * <p>A reply may be late without a timeout. No command is sent over another connection, where it could overtake earlier
 * ones, until this one has ended.
 */
final class JedisConnection implements RedisConnection {

    private final HostAndPort server;
    private final DuplexSocket socket;
    private final PendingCommands pending = new PendingCommands();
    private final Set<String> sentScripts = ConcurrentHashMap.newKeySet();
    private final UnsentCommands<Command> unsent = new UnsentCommands<>();
    /** A command is added before the server can reply to it. */
    private final UnrepliedCommands unreplied = new UnrepliedCommands();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable Subscription subscription;

    private record Command(Supplier<List<String>> words, CompletableFuture<RedisReply> reply) {}

    private record Subscription(String channel, Consumer<String> consumer) {}

    private JedisConnection(HostAndPort server, JedisClientConfig config, Time time) {
        this.server = server;
        LimitedSockets sockets = new LimitedSockets(server, config, time);
        try {
            this.socket = new DuplexSocket(sockets, config, this::receive);
        } catch (Throwable failed) {
            sockets.handshakeFailed();
            throw failed;
        } finally {
            sockets.handshakeEnded();
        }
    }

    /** Connects, and blocks until the handshake has ended. */
    static JedisConnection open(HostAndPort server, JedisClientConfig config, Time time) {
        JedisConnection connection = new JedisConnection(server, config, time);
        connection.socket.removeTimeout();
        try {
            connection.start("write", connection::write);
            connection.start("read", connection::read);
            connection.pending.closeWhenSilent(connection, time);
        } catch (Throwable noThread) {
            connection.close();
            throw noThread;
        }
        return connection;
    }

    private void start(String task, Runnable loop) {
        Thread thread = new Thread(loop, "holdfast-jedis-" + task + "-" + server);
        thread.setDaemon(true);
        thread.start();
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
    public CompletionStage<RedisReply> send(List<String> words) {
        return begin(() -> words);
    }

    @Override
    public CompletionStage<RedisReply> sendWhenWritten(String name, Supplier<List<String>> arguments) {
        return begin(() -> RedisSession.command(name, arguments.get()));
    }

    private CompletionStage<RedisReply> begin(Supplier<List<String>> words) {
        return pending.count(() -> enqueue(new Command(words, new CompletableFuture<>())));
    }

    @Override
    public boolean sendsFirst(String digest) {
        return sentScripts.add(digest);
    }

    /** Subscribes only with RESP3. The confirmation arrives as a message, at its position among the replies. */
    @Override
    public CompletionStage<RedisReply> subscribe(String channel, Consumer<String> consumer) {
        if (socket.getRedisProtocol() != RedisProtocol.RESP3) {
            return CompletableFuture.completedFuture(new RedisReply.NoReply(false, "does not speak RESP3"));
        }
        subscription = new Subscription(channel, consumer);
        return send(List.of(Protocol.Command.SUBSCRIBE.name(), channel));
    }

    private CompletionStage<RedisReply> enqueue(Command command) {
        unsent.add(command);
        if (ended.isDone()) {
            completeWithoutReply();
        }
        return command.reply();
    }

    private void write() {
        List<Command> batch = new ArrayList<>();
        try {
            while (!isOver()) {
                unsent.moveTo(batch, this::isOver);
                unreplied.add(batch.stream().map(Command::reply).toList());
                batch.forEach(command -> socket.write(command.words().get()));
                socket.flush();
                batch.clear();
            }
        } catch (Throwable e) {
            close();
        }
        completeWithoutReply();
        // If memory ended before, nothing else contains these commands.
        batch.forEach(command -> command.reply().complete(PendingCommands.CONNECTION_ENDED));
    }

    private boolean isOver() {
        return ended.isDone() || Thread.currentThread().isInterrupted();
    }

    private void read() {
        try {
            while (!ended.isDone()) {
                unreplied.complete(socket.read());
            }
        } catch (Throwable e) {
            close();
        }
        completeWithoutReply();
    }

    private void receive(List<?> words) {
        if (words.size() < 3) {
            return;
        }
        Subscription current = subscription;
        if (words.get(0).equals("subscribe")) {
            unreplied.complete(new RedisReply.Value(words));
        } else if (current != null
                && words.get(0).equals("message")
                && words.get(1).equals(current.channel())) {
            current.consumer().accept(String.valueOf(words.get(2)));
        }
    }

    /** Completes all commands as sent, even unsent ones. The cost is only a release that was not needed. */
    private void completeWithoutReply() {
        unreplied.end(PendingCommands.CONNECTION_ENDED);
        for (Command command = unsent.poll(); command != null; command = unsent.poll()) {
            command.reply().complete(PendingCommands.CONNECTION_ENDED);
        }
    }

    @Override
    public CompletableFuture<Void> close() {
        if (ended.complete(null)) {
            unsent.wakeWriter();
            try {
                socket.forceDisconnect();
            } catch (IOException e) {
                // The socket is closed in any case.
            }
        }
        return ended;
    }

    /** Converts a reply that Jedis has read. */
    static RedisReply convert(@Nullable Object read) {
        return read instanceof JedisDataException error
                ? new RedisReply.ServerError(String.valueOf(error.getMessage()))
                : new RedisReply.Value(text(read));
    }

    static @Nullable Object text(@Nullable Object read) {
        if (read instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        } else if (read instanceof List<?> list) {
            List<@Nullable Object> texts = new ArrayList<>(list.size());
            list.forEach(item -> texts.add(text(item)));
            return texts;
        }
        return read;
    }
}
