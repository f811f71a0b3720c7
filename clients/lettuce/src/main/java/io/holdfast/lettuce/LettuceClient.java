package io.holdfast.lettuce;

import io.holdfast.redis.client.ClientVersion;
import io.holdfast.redis.client.PendingCommands;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.time.Time;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.EpollProvider;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The Lettuce client, shared by the nodes of one Holdfast client and shut down with the last of them.
 * docs/decisions/connections.md explains its settings.
 */
final class LettuceClient {

    private static final Duration PEER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration KEEPALIVE_IDLE = Duration.ofSeconds(10);
    private static final Duration KEEPALIVE_INTERVAL = Duration.ofSeconds(3);
    private static final int KEEPALIVE_PROBES = 3;
    /** The attempts of a connection whose failure has no reason. */
    private static final int MOST_ATTEMPTS = 3;

    /**
     * The channels, also those that connect: Lettuce closes only connected ones, and an event loop of Netty 4.2 may end
     * without closing a channel that begins to connect at that moment.
     */
    private final ChannelGroup channels = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

    private final NameResolver.Group names;
    private final ClientResources resources;
    private final RedisClient client;
    /** Counts the connectors and their pending attempts to connect. */
    private final AtomicInteger users = new AtomicInteger(1);

    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** Creates a client with one user, the caller, which leaves when other users have entered. */
    LettuceClient(Duration connectTimeout, ConnectionSecurity security, Time time) {
        this.names = new NameResolver.Group(time);
        this.resources = DefaultClientResources.builder()
                .addressResolverGroup(names)
                .threadFactoryProvider(pool -> new DefaultThreadFactory(pool, true))
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
                .nettyCustomizer(new ReplyLimitHandler.Installer(channels))
                .build();
        this.client = RedisClient.create(resources);
        this.client.setOptions(options(connectTimeout, security));
    }

    private static ClientOptions options(Duration connectTimeout, ConnectionSecurity security) {
        ClientOptions.Builder options = ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(PendingCommands.MAX_PENDING)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(socket())
                .sslOptions(tls(connectTimeout, security));
        if (ClientVersion.hasClass("io.lettuce.core.MaintNotificationsConfig", ClientOptions.class)) {
            Maintenance.disable(options);
        }
        return options.build();
    }

    private static SslOptions tls(Duration connectTimeout, ConnectionSecurity security) {
        SslOptions.Builder tls = SslOptions.builder().jdkSslProvider().handshakeTimeout(connectTimeout);
        TrustManagerFactory trusted = security.trustManagers();
        if (trusted != null) {
            tls.trustManager(trusted);
        }
        KeyManagerFactory own = security.keyManagers();
        if (own != null) {
            tls.keyManager(own);
        }
        return tls.build();
    }

    /** Settings of Lettuce 7.0 and later. A separate class, because older versions could not load it. */
    private static final class Maintenance {

        static void disable(ClientOptions.Builder options) {
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        }
    }

    private static SocketOptions socket() {
        SocketOptions.Builder socket = SocketOptions.builder()
                .tcpNoDelay(true)
                .keepAlive(SocketOptions.KeepAliveOptions.builder()
                        .enable()
                        .idle(KEEPALIVE_IDLE)
                        .interval(KEEPALIVE_INTERVAL)
                        .count(KEEPALIVE_PROBES)
                        .build());
        if (EpollProvider.isAvailable()) {
            socket.tcpUserTimeout(SocketOptions.TcpUserTimeoutOptions.builder()
                    .enable()
                    .tcpUserTimeout(PEER_TIMEOUT)
                    .build());
        }
        return socket.build();
    }

    /**
     * Starts one attempt to connect. It fails after the timeout if the server accepts the connection and then is
     * silent. With RESP3, the connection carries messages between the replies.
     */
    CompletionStage<StatefulRedisPubSubConnection<String, String>> connect(RedisURI uri) {
        CompletableFuture<StatefulRedisPubSubConnection<String, String>> made = new CompletableFuture<>();
        connect(uri, MOST_ATTEMPTS, made);
        return made;
    }

    /**
     * Connects again if Lettuce has lost the reason of a failure: a server that refuses the handshake at once, such as
     * for a wrong password, may end the connection before Lettuce looks for its handshake. A client that is shut down
     * meanwhile begins no attempt, about which Netty would log errors.
     */
    private void connect(
            RedisURI uri, int attempts, CompletableFuture<StatefulRedisPubSubConnection<String, String>> made) {
        if (!enter()) {
            made.completeExceptionally(new IllegalStateException("closed"));
            return;
        }
        begin(uri).whenComplete((connection, failure) -> {
            if (failure == null) {
                made.complete(connection);
            } else if (attempts > 1 && isWithoutReason(failure)) {
                connect(uri, attempts - 1, made);
            } else {
                made.completeExceptionally(failure);
            }
        });
        leave();
    }

    private static boolean isWithoutReason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalStateException
                    && String.valueOf(cause.getMessage()).contains("RedisHandshakeHandler")) {
                return true;
            }
        }
        return false;
    }

    private CompletionStage<StatefulRedisPubSubConnection<String, String>> begin(RedisURI uri) {
        try {
            return client.connectPubSubAsync(StringCodec.UTF8, uri);
        } catch (RuntimeException | Error notStarted) {
            return CompletableFuture.failedFuture(notStarted);
        }
    }

    /** Records that an attempt to connect to this host has failed. */
    void attemptFailed(String host) {
        names.attemptFailed(host);
    }

    /** Adds a user. Returns {@code false} if the client has been shut down. */
    boolean enter() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Removes a user. Shuts the client down after the last one. */
    void leave() {
        if (users.decrementAndGet() == 0) {
            channels.close();
            client.shutdownAsync(0, 2, TimeUnit.SECONDS)
                    .whenComplete((done, failure) ->
                            resources.shutdown(0, 2, TimeUnit.SECONDS).addListener(end -> ended.complete(null)));
        }
    }

    /** Completes when the last user has left and the threads of this client have ended, or end at once. */
    CompletionStage<Void> ended() {
        return ended;
    }
}
