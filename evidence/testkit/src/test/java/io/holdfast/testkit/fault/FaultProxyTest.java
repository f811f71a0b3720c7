package io.holdfast.testkit.fault;

import static io.holdfast.servers.Eventually.BOUND;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RespClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
final class FaultProxyTest {

    /** One after the other, their round trips would take longer than any pause of a machine. */
    private static final int PINGS = 1_000;

    @AutoClose
    private static final RedisServer server = RedisServer.start();

    @AutoClose
    @SuppressWarnings("NullAway.Init")
    private FaultProxy proxy;

    @BeforeEach
    void openProxy() {
        server.exec("FLUSHALL");
        proxy = FaultProxy.to(server.uri());
    }

    @Test
    void uri_targetWithPassword_hasTheProxyPortAndThePassword() {
        try (FaultProxy other = FaultProxy.to(URI.create("redis://:p%40ss@127.0.0.1:1"))) {
            assertThat(other.uri()).hasToString("redis://:p%40ss@127.0.0.1:" + other.port());
        }
    }

    @Test
    void pass_initially_passesLargeRequestsAndReplies() throws IOException {
        String large = "x".repeat(3_000_000);
        try (RespClient client = connect()) {
            assertThat(client.exec("SET", "k", large)).isEqualTo("OK");
            assertThat(client.exec("GET", "k")).isEqualTo(large);
            assertThat(proxy.waitingBytes()).isZero();
        }
        eventually("the connection is removed", () -> proxy.connections() == 0);
    }

    @Test
    void delay_eachWay_isAddedToTheRoundTrip() throws IOException {
        try (RespClient client = connect()) {
            client.exec("PING");
            Duration oneWay = Duration.ofMillis(100);
            proxy.delay(oneWay);
            long start = System.nanoTime();
            for (int i = 0; i < PINGS; i++) {
                client.send("PING");
            }
            for (int i = 0; i < PINGS; i++) {
                assertThat(client.receive()).isEqualTo("PONG");
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            assertThat(elapsed).isBetween(oneWay.multipliedBy(2), oneWay.multipliedBy(PINGS));
        }
    }

    @Test
    void hold_bothDirections_passesInOrderLater() throws IOException {
        proxy.hold();
        try (RespClient client = connect()) {
            client.send("SET", "k", "1");
            client.send("INCR", "k");
            eventually("the requests have arrived", () -> proxy.waitingBytes() > 0);
            assertThat(server.exec("EXISTS", "k")).isEqualTo(0L);
            proxy.pass();
            assertThat(client.receive()).isEqualTo("OK");
            assertThat(client.receive()).isEqualTo(2L);
        }
    }

    @Test
    void sever_requestPending_isExecutedAndItsConnectionReset() throws IOException {
        try (RespClient client = connect()) {
            client.exec("PING");
            proxy.sever();
            client.send("SET", "k", "v");
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
            assertThat(server.exec("GET", "k")).isEqualTo("v");
        }
        proxy.pass();
        try (RespClient client = connect()) {
            assertThat(client.exec("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void hold_repliesOnly_serverExecutesTheRequest() throws IOException {
        proxy.hold(Direction.REPLIES);
        try (RespClient client = connect()) {
            client.send("SET", "k", "v");
            eventually("the server has executed the request", () -> "v".equals(server.exec("GET", "k")));
            eventually("the reply has arrived", () -> proxy.waitingBytes() > 0);
            proxy.pass();
            assertThat(client.receive()).isEqualTo("OK");
        }
    }

    @Test
    void hold_requests_passesServerPushes() throws IOException {
        try (RespClient client = connect()) {
            client.exec("SUBSCRIBE", "news");
            proxy.hold(Direction.REQUESTS);
            client.send("UNSUBSCRIBE", "news");
            eventually("the request has arrived", () -> proxy.waitingBytes() > 0);
            assertThat(server.exec("PUBLISH", "news", "hello")).isEqualTo(1L);
            assertThat(client.receive()).isEqualTo(List.of("message", "news", "hello"));
        }
    }

    @Test
    void hold_requestsOfAClosedClient_arriveLater() throws IOException {
        proxy.hold(Direction.REQUESTS);
        try (RespClient client = connect()) {
            client.send("SET", "k", "late");
            eventually("the request has arrived", () -> proxy.waitingBytes() > 0);
        }
        proxy.pass();
        eventually("the request has been executed", () -> "late".equals(server.exec("GET", "k")));
    }

    @Test
    void drop_close_endsConnectionsAndAcceptsNewOnes() throws IOException {
        try (RespClient client = connect()) {
            client.exec("PING");
            proxy.drop(ConnectionEnd.CLOSE);
            assertThatThrownBy(client::receive).isInstanceOf(EOFException.class);
            assertThat(proxy.connections()).isZero();
        }
        try (RespClient client = connect()) {
            assertThat(client.exec("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void drop_reset_resetsConnections() throws IOException {
        try (RespClient client = connect()) {
            client.exec("PING");
            proxy.drop(ConnectionEnd.RESET);
            assertThatThrownBy(client::receive)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void drop_whileHeld_losesTheHeldBytes() throws IOException {
        proxy.hold();
        try (RespClient client = connect()) {
            client.send("SET", "k", "lost");
            eventually("the request has arrived", () -> proxy.waitingBytes() > 0);
            proxy.drop(ConnectionEnd.RESET);
            proxy.pass();
            assertThatThrownBy(client::receive).isInstanceOf(SocketException.class);
            assertThat(server.exec("EXISTS", "k")).isEqualTo(0L);
        }
    }

    @Test
    void refuse_newConnections_areRefusedAndOpenOnesStay() throws IOException {
        try (RespClient open = connect()) {
            open.exec("PING");
            proxy.refuse();
            assertThatThrownBy(() -> connect()).isInstanceOf(ConnectException.class);
            assertThat(open.exec("PING")).isEqualTo("PONG");
            proxy.pass();
            try (RespClient late = connect()) {
                assertThat(late.exec("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void target_gone_resetsTheClient() {
        try (FaultProxy nowhere = FaultProxy.to(URI.create("redis://127.0.0.1:" + FreePorts.next()))) {
            assertThatThrownBy(() -> ping(nowhere.port())).isInstanceOf(IOException.class);
        }
    }

    /** The reset may arrive while the client is still connecting. */
    private static void ping(int port) throws IOException {
        try (RespClient client = new RespClient(port, BOUND)) {
            client.exec("PING");
        }
    }

    @Test
    void target_restarts_isReachedAgain() throws IOException {
        try (RedisServer own = RedisServer.start();
                FaultProxy inFront = FaultProxy.to(own.uri());
                RespClient before = new RespClient(inFront.port(), BOUND)) {
            before.exec("PING");
            own.restartEmpty();
            assertThatThrownBy(before::receive).isInstanceOf(IOException.class);
            try (RespClient after = new RespClient(inFront.port(), BOUND)) {
                assertThat(after.exec("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void lead_openConnection_staysAndNewOnesReachTheNewTarget() throws IOException {
        try (RedisServer other = RedisServer.start();
                RespClient before = new RespClient(proxy.port(), BOUND)) {
            before.exec("SET", "where", "first");
            other.exec("SET", "where", "second");

            proxy.lead(other.uri());

            assertThat(before.exec("GET", "where")).isEqualTo("first");
            try (RespClient after = new RespClient(proxy.port(), BOUND)) {
                assertThat(after.exec("GET", "where")).isEqualTo("second");
            }
        }
    }

    @Test
    void close_openConnections_areEndedAndNewOnesRefused() throws IOException {
        try (RespClient client = connect()) {
            client.exec("PING");
            proxy.close();
            proxy.pass();
            assertThatThrownBy(client::receive).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> connect()).isInstanceOf(ConnectException.class);
        }
    }

    private RespClient connect() throws IOException {
        return new RespClient(proxy.port(), BOUND);
    }
}
