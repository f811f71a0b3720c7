package io.holdfast.lettuce;

import io.holdfast.redis.Address;
import io.holdfast.redis.ConnectFailures;
import io.holdfast.redis.RedisConnection;
import io.holdfast.redis.RedisConnector;
import io.holdfast.redis.ServerErrors;
import io.holdfast.time.Time;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Connects to one address with the client that is shared by all nodes. */
final class LettuceConnector implements RedisConnector {

    private final LettuceClient client;
    private final RedisURI uri;
    private final Time time;
    private final String name;
    private final AtomicBoolean closed = new AtomicBoolean();

    LettuceConnector(LettuceClient client, URI address, Duration connectTimeout, Time time) {
        this.client = client;
        this.uri = parse(address);
        this.time = time;
        this.name = Address.name(uri.toURI());
        uri.setTimeout(connectTimeout);
        client.enter();
    }

    private static RedisURI parse(URI address) {
        try {
            return RedisURI.create(address);
        } catch (RuntimeException e) {
            throw Address.senseless(address);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<RedisConnection> connect() {
        return client.connect(uri).thenApply(connection -> new Line(connection, time));
    }

    @Override
    public String explain(Throwable failure) {
        return ConnectFailures.explain(failure, LettuceConnector::explainOwn);
    }

    private static @Nullable String explainOwn(Throwable cause) {
        if (cause instanceof RedisCommandExecutionException) {
            return ServerErrors.explain(String.valueOf(cause.getMessage()));
        }
        return cause instanceof RedisCommandTimeoutException ? ConnectFailures.silent() : null;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            client.leave();
        }
    }
}
