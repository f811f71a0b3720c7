package io.holdfast.jedis;

import io.holdfast.redis.client.RedisReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.PushConsumerContext;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Jedis's connection, with writing and reading apart from each other. One thread may do one of them while another does the other. */
final class DuplexSocket extends Connection {

    private static final boolean CARRIES_MESSAGES =
            isThere("redis.clients.jedis.PushConsumer") && isThere("redis.clients.jedis.PushConsumerContext");

    private final Consumer<List<?>> onPush;
    private boolean made;

    DuplexSocket(HostAndPort place, JedisClientConfig config, Consumer<List<?>> onPush) {
        super(place, config);
        this.onPush = onPush;
        if (carriesMessages()) {
            addPushConsumer(this::consume);
        }
    }

    /**
     * Whether Jedis tells messages from answers, which it does from 8.0 on. An older one speaks RESP2 here, so that there are no
     * messages, and waiters ask again and again.
     */
    static boolean carriesMessages() {
        return CARRIES_MESSAGES;
    }

    private static boolean isThere(String name) {
        try {
            Class.forName(name, false, Connection.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException olderJedis) {
            return false;
        }
    }

    /** From now on an answer may take as long as it likes. */
    void waitForAnswers() {
        setTimeoutInfinite();
        made = true;
    }

    /** Jedis would connect again to send a command; but a connection belongs to one run of a server. */
    @Override
    public void connect() {
        if (made && !isConnected()) {
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

    /** Without the parent's, which takes messages for answers. */
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

    /** Blocks for the next answer; messages that come before it are given to their consumer. */
    RedisReply read() {
        try {
            return JedisConnection.answer(readProtocolWithCheckingBroken());
        } catch (JedisDataException error) {
            return JedisConnection.answer(error);
        }
    }
}
