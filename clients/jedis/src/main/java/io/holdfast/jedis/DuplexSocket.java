package io.holdfast.jedis;

import io.holdfast.redis.client.ClientVersion;
import io.holdfast.redis.client.RedisReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.PushConsumerContext;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** A Jedis connection that one thread writes to while another thread reads from it. */
final class DuplexSocket extends Connection {

    private static final boolean SUPPORTS_MESSAGES =
            ClientVersion.hasClass("redis.clients.jedis.PushConsumer", Connection.class)
                    && ClientVersion.hasClass("redis.clients.jedis.PushConsumerContext", Connection.class);

    private final Consumer<List<?>> onPush;
    private boolean isOpen;

    DuplexSocket(LimitedSockets sockets, JedisClientConfig config, Consumer<List<?>> onPush) {
        super(sockets, config);
        this.onPush = onPush;
        if (supportsMessages()) {
            addPushConsumer(this::consume);
        }
    }

    /**
     * Returns {@code true} if Jedis separates messages from replies, which it does from 8.0 on. With an older version
     * the connection uses RESP2, so that there are no messages, and waiters poll.
     */
    static boolean supportsMessages() {
        return SUPPORTS_MESSAGES;
    }

    /** Removes the read timeout, which applies only to the handshake. */
    void removeTimeout() {
        setTimeoutInfinite();
        isOpen = true;
    }

    /** Prevents Jedis from reconnecting to send a command, because a connection belongs to one server process. */
    @Override
    public void connect() {
        if (isOpen && !isConnected()) {
            throw new JedisConnectionException("The connection has ended");
        }
        super.connect();
    }

    private PushConsumerContext consume(PushConsumerContext context) {
        if (JedisConnection.text(context.getMessage().getContent()) instanceof List<?> words) {
            onPush.accept(words);
        }
        context.drop();
        return context;
    }

    /** Omits the consumer of the superclass, which treats messages as replies. */
    @Override
    protected void initPushConsumers(JedisClientConfig config) {}

    void write(List<String> words) {
        CommandArguments arguments = new CommandArguments(() -> words.get(0).getBytes(StandardCharsets.US_ASCII));
        words.subList(1, words.size()).forEach(arguments::add);
        sendCommand(arguments);
    }

    @Override
    public void flush() {
        super.flush();
    }

    /** Blocks until the next reply, and passes earlier messages to their consumer. */
    RedisReply read() {
        try {
            return JedisConnection.convert(readProtocolWithCheckingBroken());
        } catch (JedisDataException error) {
            return JedisConnection.convert(error);
        }
    }
}
