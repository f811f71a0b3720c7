package io.holdfast.jedis;

import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.ConnectFailures;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.security.Credentials;
import io.holdfast.time.Time;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisDataException;

/** Connects to one address with Jedis. */
final class JedisConnector implements RedisConnector {

    private final String name;
    private final ServerAddress.Role role;
    private final HostAndPort server;
    private final JedisClientConfig config;
    private final Time time;

    JedisConnector(ServerAddress address, NodeSettings settings, ConnectionSecurity security, Time time) {
        this.name = address.name();
        this.role = address.role();
        this.server = new HostAndPort(address.host(), address.port());
        this.config = config(
                address,
                (int) Math.min(Integer.MAX_VALUE, settings.connectTimeout().toMillis()),
                security);
        this.time = time;
    }

    /** Returns the configuration. Its socket timeout applies only until the handshake has ended. */
    private static JedisClientConfig config(ServerAddress address, int timeoutMillis, ConnectionSecurity security) {
        try {
            DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                    .credentialsProvider(credentials(address, security))
                    .database(address.database())
                    .connectionTimeoutMillis(timeoutMillis)
                    .socketTimeoutMillis(timeoutMillis)
                    .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
            if (DuplexSocket.supportsMessages()) {
                config.autoNegotiateProtocol(true);
            }
            if (address.tls()) {
                secure(config, security);
            }
            return config.build();
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "No TLS with these trust and key managers: " + e.getMessage() + "; initialize both factories", e);
        }
    }

    /** Returns the login of the address, the credentials of the client, or no credentials. */
    @SuppressWarnings("NullAway") // Jedis sends no AUTH without a password.
    private static RedisCredentialsProvider credentials(ServerAddress address, ConnectionSecurity security) {
        Credentials login = address.login();
        Supplier<Credentials> source = security.credentials();
        if (login == null && source != null) {
            return () -> known(ConnectionSecurity.current(source));
        }
        RedisCredentials fixed = login == null ? new DefaultRedisCredentials(null, (CharSequence) null) : known(login);
        return () -> fixed;
    }

    private static RedisCredentials known(Credentials current) {
        String user = current.user().isEmpty() ? null : current.user();
        return new DefaultRedisCredentials(user, current.password());
    }

    @SuppressWarnings("deprecation") // SslOptions of Jedis takes no factories of trust and key managers.
    private static void secure(DefaultJedisClientConfig.Builder config, ConnectionSecurity security)
            throws GeneralSecurityException {
        TrustManagerFactory trusted = security.trustManagers();
        KeyManagerFactory own = security.keyManagers();
        if (trusted == null && own == null && security.hostnameVerification()) {
            config.sslOptions(SslOptions.defaults());
            return;
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own == null ? null : own.getKeyManagers(), trusted == null ? null : trusted.getTrustManagers(), null);
        SSLParameters parameters = context.getDefaultSSLParameters();
        if (security.hostnameVerification()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        config.ssl(true).sslSocketFactory(context.getSocketFactory()).sslParameters(parameters);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<RedisConnection> connect() {
        CompletableFuture<RedisConnection> connection = new CompletableFuture<>();
        time.execute(() -> {
            try {
                connection.complete(JedisConnection.open(server, config, time));
            } catch (Throwable e) {
                connection.completeExceptionally(withReason(e));
            }
        });
        return connection;
    }

    /**
     * Returns the failure, or one that lasts if the address has the wrong scheme for certain, or if the server has
     * ended the connection because of the certificate of this client.
     */
    private Throwable withReason(Throwable failure) {
        try {
            ConnectFailure reason = ConnectFailures.explain(failure, this::explainOwn);
            boolean isEnded = reason.equals(ConnectFailures.endedAtOnce());
            if (isTls() && isEnded) {
                SSLException alert = SchemeProbe.alert(server, factory(), time);
                return alert == null ? failure : alert;
            } else if (isTls()
                    && ConnectFailures.mayLackTls(ConnectFailures.overTls(reason))
                    && SchemeProbe.answersWithoutTls(server)) {
                return ConnectFailures.answersWithoutTls().asException();
            } else if (!isTls() && isEnded && SchemeProbe.speaksTls(server, time)) {
                return ConnectFailures.requiresTls().asException();
            }
        } catch (Throwable unknown) {
            // Such as a lack of memory. Without a result, the node would never be connected again.
        }
        return failure;
    }

    @SuppressWarnings("deprecation") // See secure(...).
    private @Nullable SSLSocketFactory factory() {
        return config.getSslSocketFactory();
    }

    private boolean isTls() {
        return config.isSsl() || config.getSslOptions() != null;
    }

    @Override
    public ConnectFailure explain(Throwable failure) {
        ConnectFailure reason = ConnectFailures.explain(failure, this::explainOwn);
        return isTls() ? ConnectFailures.overTls(reason) : reason;
    }

    private @Nullable ConnectFailure explainOwn(Throwable cause) {
        if (cause instanceof JedisDataException) {
            return ConnectFailure.ofServer(String.valueOf(cause.getMessage()), role);
        }
        return String.valueOf(cause.getMessage()).startsWith("Unexpected end of stream")
                ? ConnectFailures.endedAtOnce()
                : null;
    }
}
