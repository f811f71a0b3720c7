package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** The connection of a node to a server that a test plays. Pending commands have no reply when it is replaced. */
public final class FakeConnection implements NodeConnection {

    /** The reply to {@code INFO} of a server that may be a node. */
    public static final RedisReply INFO =
            new RedisReply.Value("role:master\r\nmaxmemory_policy:noeviction\r\ncluster_enabled:0\r\n");

    private final String name;
    private final Function<List<String>, CompletableFuture<RedisReply>> server;
    private final Queue<CompletableFuture<RedisReply>> pending = new ConcurrentLinkedQueue<>();
    private final Queue<String> replacements = new ConcurrentLinkedQueue<>();
    private RedisSession session;

    /** Creates a connection to a server that replies to each command by this function. */
    public FakeConnection(Function<List<String>, CompletableFuture<RedisReply>> server) {
        this("redis://a:6379", server);
    }

    /** Creates a connection to a server of this name. */
    public FakeConnection(String name, Function<List<String>, CompletableFuture<RedisReply>> server) {
        this.name = name;
        this.server = server;
        this.session = newSession();
    }

    private RedisSession newSession() {
        return command -> {
            CompletableFuture<RedisReply> reply = server.apply(command);
            pending.add(reply);
            return reply;
        };
    }

    /** Returns why the connection was replaced, each time. */
    public Queue<String> replacements() {
        return replacements;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public RedisSession session() {
        return session;
    }

    @Override
    public void replace(RedisSession rejected, String cause) {
        assertThat(rejected).isSameAs(session);
        replacements.add(cause);
        session = newSession();
        List<CompletableFuture<RedisReply>> left = List.copyOf(pending);
        pending.clear();
        left.forEach(reply -> reply.complete(new RedisReply.NoReply(true, "the connection has ended")));
    }

    @Override
    public void close() {}
}
