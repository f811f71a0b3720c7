package io.holdfast.lettuce;

import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.ConnectFailures;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.security.Credentials;
import io.holdfast.time.Time;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connects to one address with the Lettuce client that all nodes share. */
final class LettuceConnector implements RedisConnector {

    /** The time after the connect timeout when an attempt that has not ended is considered lost. */
    private static final Duration ATTEMPT_GRACE = Duration.ofSeconds(2);

    private final LettuceClient client;
    private final RedisURI uri;
    private final Time time;
    private final String name;
    private final ServerAddress.Role role;
    private final Duration attemptLimit;
    /** Null: the address contains the credentials, or there are none. */
    private final @Nullable Supplier<Credentials> credentials;

    private final AtomicBoolean closed = new AtomicBoolean();
    /** The last attempt, which ends when the connector closes; null before the first. */
    private volatile @Nullable CompletableFuture<RedisConnection> lastAttempt;

    LettuceConnector(
            LettuceClient client,
            ServerAddress address,
            NodeSettings settings,
            ConnectionSecurity security,
            Time time) {
        this.client = client;
        this.uri = new RedisURI(address.host(), address.port(), settings.connectTimeout());
        this.time = time;
        this.name = address.name();
        this.role = address.role();
        uri.setSsl(address.tls());
        uri.setDatabase(address.database());
        // A user or a password in the address takes precedence over the credentials of the client.
        Credentials login = address.login();
        this.credentials = login == null ? security.credentials() : null;
        if (login != null) {
            useCredentials(login);
        }
        if (!security.hostnameVerification()) {
            uri.setVerifyPeer(SslVerifyMode.CA);
        }
        this.attemptLimit = settings.connectTimeout().plus(ATTEMPT_GRACE);
        client.enter();
    }

    private void useCredentials(Credentials current) {
        String user = current.user().isEmpty() ? null : current.user();
        RedisCredentials known = RedisCredentials.just(user, current.password());
        uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> known));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<RedisConnection> connect() {
        CompletableFuture<RedisConnection> attempt = new CompletableFuture<>();
        lastAttempt = attempt;
        if (closed.get()) {
            attempt.completeExceptionally(closed());
            return attempt;
        }
        Supplier<Credentials> source = credentials;
        if (source == null) {
            connect(attempt);
            return attempt;
        }
        // The source may block, for example while it asks a vault. The thread of the timers and those of Lettuce must
        // not.
        time.execute(() -> {
            try {
                useCredentials(ConnectionSecurity.current(source));
                connect(attempt);
            } catch (Throwable e) {
                attempt.completeExceptionally(e);
            }
        });
        return attempt;
    }

    private void connect(CompletableFuture<RedisConnection> attempt) {
        if (!client.enter()) {
            attempt.completeExceptionally(closed());
            return;
        }
        // Not when Lettuce ends its attempt: after a reply in another form than that of Redis, it never does.
        attempt.whenComplete((made, failure) -> {
            if (failure != null) {
                client.attemptFailed(uri.getHost());
            }
            client.leave();
        });
        Time.Timer limit = time.schedule(attemptLimit, () -> attempt.completeExceptionally(neverEnded()));
        client.connect(uri).whenComplete((connection, failure) -> {
            limit.cancel();
            if (failure != null) {
                attempt.completeExceptionally(failure);
            } else if (attempt.isDone()) {
                connection.closeAsync();
            } else {
                LettuceConnection made = new LettuceConnection(connection, time);
                if (!attempt.complete(made)) {
                    made.close();
                }
            }
        });
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("closed");
    }

    /** Returns the failure of an attempt that Lettuce never ends, because its event loop could not start a thread. */
    private static RedisCommandTimeoutException neverEnded() {
        return new RedisCommandTimeoutException("The attempt to connect did not end");
    }

    @Override
    public ConnectFailure explain(Throwable failure) {
        ConnectFailure reason = ConnectFailures.explain(failure, this::explainOwn);
        return uri.isSsl() ? ConnectFailures.overTls(reason) : reason;
    }

    private @Nullable ConnectFailure explainOwn(Throwable cause) {
        if (cause instanceof RedisCommandExecutionException) {
            return ConnectFailure.ofServer(String.valueOf(cause.getMessage()), role);
        }
        return cause instanceof RedisCommandTimeoutException ? ConnectFailures.silent() : null;
    }

    @Override
    public CompletionStage<?> close() {
        if (!closed.getAndSet(true)) {
            CompletableFuture<RedisConnection> pending = lastAttempt;
            if (pending != null) {
                pending.completeExceptionally(closed());
            }
            client.leave();
        }
        return client.ended();
    }
}
