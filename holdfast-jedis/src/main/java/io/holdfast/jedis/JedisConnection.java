package io.holdfast.jedis;

import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection to one run of a server, from its making to its end. Jedis blocks, so one thread writes what is asked, as much as
 * there is at once, and another reads the answers, which come in the order of the questions.
 *
 * <p>An answer that is late is waited for: nothing is sent over another connection that could overtake it, until this one has ended.
 */
final class JedisConnection implements RedisConnection {

    /** Not a command: the connection has ended. */
    private static final Command END = new Command(List.of());

    private final HostAndPort place;
    private final DuplexSocket socket;
    private final PendingCommands traffic = new PendingCommands();
    private final BlockingQueue<Command> unsent = new LinkedBlockingQueue<>();
    /** Sent, in their order; a command stands here before the server can answer it. */
    private final Queue<Command> unanswered = new ConcurrentLinkedQueue<>();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable Subscription subscription;

    private static final class Command {

        private final List<String> words;
        private final CompletableFuture<RedisReply> answer = new CompletableFuture<>();

        Command(List<String> words) {
            this.words = words;
        }
    }

    private record Subscription(String channel, Consumer<String> consumer) {}

    private JedisConnection(HostAndPort place, JedisClientConfig config) {
        this.place = place;
        this.socket = new DuplexSocket(place, config, this::pushed);
    }

    /** Connects, and blocks for it. */
    static JedisConnection open(HostAndPort place, JedisClientConfig config, Time time) {
        JedisConnection wire = new JedisConnection(place, config);
        wire.socket.waitForAnswers();
        try {
            wire.start("write", wire::write);
            wire.start("read", wire::read);
            wire.traffic.watch(wire, time);
        } catch (Throwable noThread) {
            wire.close();
            throw noThread;
        }
        return wire;
    }

    private void start(String task, Runnable loop) {
        Thread thread = new Thread(loop, "holdfast-jedis-" + task + "-" + place);
        thread.setDaemon(true);
        thread.start();
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
    public CompletionStage<RedisReply> send(List<String> words) {
        return traffic.begin()
                ? enqueue(new Command(words))
                : CompletableFuture.completedFuture(PendingCommands.TOO_MUCH);
    }

    /** With RESP3, messages come between the answers. The confirmation comes like a message, in its place among the answers. */
    @Override
    public CompletionStage<RedisReply> subscribe(String channel, Consumer<String> consumer) {
        if (socket.getRedisProtocol() != RedisProtocol.RESP3) {
            return CompletableFuture.completedFuture(new RedisReply.Lost(false, "does not speak RESP3"));
        }
        subscription = new Subscription(channel, consumer);
        return send(List.of(Protocol.Command.SUBSCRIBE.name(), channel));
    }

    private CompletionStage<RedisReply> enqueue(Command command) {
        command.answer.thenAccept(traffic::end);
        unsent.add(command);
        if (ended.isDone()) {
            cutOff();
        }
        return command.answer;
    }

    private void write() {
        List<Command> together = new ArrayList<>();
        try {
            while (!ended.isDone()) {
                together.add(unsent.take());
                unsent.drainTo(together);
                together.remove(END);
                unanswered.addAll(together);
                together.forEach(command -> socket.write(command.words));
                socket.flush();
                together.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            close();
        }
        cutOff();
    }

    private void read() {
        try {
            while (!ended.isDone()) {
                answerNext(socket.read());
            }
        } catch (RuntimeException e) {
            close();
        }
        cutOff();
    }

    private void answerNext(RedisReply answer) {
        Command command = unanswered.poll();
        if (command == null) {
            throw new IllegalStateException("an answer to no question");
        }
        command.answer.complete(answer);
    }

    private void pushed(List<?> words) {
        if (words.size() < 3) {
            return;
        }
        Subscription present = subscription;
        if (words.get(0).equals("subscribe")) {
            answerNext(new RedisReply.Value(words));
        } else if (present != null
                && words.get(0).equals("message")
                && words.get(1).equals(present.channel())) {
            present.consumer().accept(String.valueOf(words.get(2)));
        }
    }

    /** What was never sent, too, is taken for sent: it is followed by a release in vain. */
    private void cutOff() {
        for (Queue<Command> queue : List.of(unanswered, unsent)) {
            for (Command command = queue.poll(); command != null; command = queue.poll()) {
                command.answer.complete(PendingCommands.CUT_OFF);
            }
        }
        // The reader may have taken the end out of the queue before the writer came to it, which would wait for ever.
        unsent.add(END);
    }

    @Override
    public CompletableFuture<Void> close() {
        if (ended.complete(null)) {
            unsent.add(END);
            try {
                socket.forceDisconnect();
            } catch (IOException e) {
                // It is broken, which is what was wanted.
            }
        }
        return ended;
    }

    /** What Jedis reads, in the words of an {@link RedisReply}. */
    static RedisReply answer(@Nullable Object read) {
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
