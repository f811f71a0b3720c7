package io.holdfast.testkit.hostile;

import static io.holdfast.servers.Eventually.BOUND;
import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.testkit.hostile.HostileClientContract.requireDocumented;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.FencingToken;
import io.holdfast.redis.client.ReplyLimit;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A contract for any Redis client on a server that sends anything: no call waits without a limit, nothing remains open,
 * memory is bounded, and only documented exceptions are thrown.
 */
public abstract class HostileServerContract {

    private static final HoldfastOptions OPTIONS = HoldfastOptions.builder()
            .restarts(RestartPolicy.DURABLE)
            .connectTimeout(Duration.ofMillis(200))
            .build();
    private static final LockOptions BRIEF = LockOptions.builder()
            .lease(Duration.ofSeconds(2))
            .waitLimit(Duration.ofMillis(200))
            .build();

    /** Options of a client and of its locks that honest servers grant. */
    private static final HoldfastOptions PATIENT =
            PatientOptions.CLIENT.toBuilder().restarts(RestartPolicy.DURABLE).build();

    private static final LockOptions LOCK = PatientOptions.LOCK;

    /** The bytes that the sockets and buffers of both sides may hold beside the longest reply. */
    private static final long BUFFERS = 32 << 20;

    private static final int CLOSED_CLIENTS = 100;
    private static final Duration BETWEEN_CLOSES = Duration.ofNanos(20_000);

    private static final Set<String> OF_CLIENTS = Set.of("lettuce", "holdfast", "redis", "epoll", "nio");

    @Test
    void calls_serverSendsAnything_endWithDocumentedOutcomes() {
        Set<Thread> before = clientThreads();
        FuzzSeeds.run("hostile server, " + getClass().getSimpleName(), 12, seed -> {
            try (HostileServer server = HostileServer.random(seed)) {
                use(server.uri(), new Random(seed));
                eventually("all connections are closed", () -> server.openConnections() == 0);
                assertThat(server.longestReply()).isLessThan(ReplyLimit.MAX_BYTES + BUFFERS);
            }
        });
        eventually("the threads of all clients have ended", () -> before.containsAll(clientThreads()));
    }

    private static void use(URI server, Random random) {
        Holdfast client = Holdfast.connect(List.of(server.toString()), OPTIONS);
        try {
            List<ThrowingCallable> calls = new ArrayList<>(List.of(
                    () -> client.lock("a", BRIEF).tryAcquire().ifPresent(HostileServerContract::useAndRelease),
                    () -> useAndRelease(client.lock("b", BRIEF).acquire()),
                    () -> client.admin().status("a"),
                    () -> client.admin().list(),
                    () -> client.admin().record("a")));
            for (int i = 0; i < 4; i++) {
                requireDocumented(catchThrowable(limited(calls.get(random.nextInt(calls.size())))));
            }
        } finally {
            within(client::close);
        }
    }

    private static void useAndRelease(Lease lease) {
        lease.extend(Duration.ofSeconds(2));
        lease.release();
    }

    private static ThrowingCallable limited(ThrowingCallable call) {
        return () -> within(call);
    }

    private static void within(ThrowingCallable call) {
        long begun = System.nanoTime();
        Throwable failure = catchThrowable(call);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
        if (failure != null) {
            HostileServerContract.<RuntimeException>rethrow(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }

    private static Set<Thread> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> OF_CLIENTS.stream().anyMatch(thread.getName()::contains))
                .collect(Collectors.toSet());
    }

    /** Replies that would reserve gigabytes, overflow the stack, or never end. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2147483647\r\n",
                "$1000000000\r\n",
                "*2147483647\r\n",
                "%1073741823\r\n",
                ">2147483647\r\n",
                "*99999999999999999999\r\n",
                "+aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "-ERR aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "*1\r\n",
                "$?\r\n"
            })
    void acquire_replyThatWouldFillTheMemory_endsTheConnection(String endless) {
        byte[] bytes = endless.repeat(1_000).getBytes(StandardCharsets.US_ASCII);
        byte[] once = endless.getBytes(StandardCharsets.US_ASCII);
        requireConnectionEnds(once, bytes);
    }

    /**
     * Requires that a client ends the connection to a server that sends the beginning and then the rest without end.
     */
    private static void requireConnectionEnds(byte[] once, byte[] rest) {
        try (HostileServer server = HostileServer.replying("EVALSHA", once, rest);
                Holdfast client = Holdfast.connect(List.of(server.uri().toString()), OPTIONS)) {
            requireDocumented(catchThrowable(() -> client.lock("a", BRIEF).acquire()));

            eventually("the client connects again", () -> server.acceptedConnections() > 1);
            assertThat(server.longestReply()).isLessThan(ReplyLimit.MAX_BYTES + BUFFERS);
        }
    }

    /** A list whose elements arrive one by one is within the limits of each of them. */
    @Test
    void acquire_listWithoutEnd_endsTheConnection() {
        byte[] once = "*1000000\r\n*1\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] elements = ("$1000\r\n" + "a".repeat(1_000) + "\r\n").repeat(50).getBytes(StandardCharsets.US_ASCII);
        requireConnectionEnds(once, elements);
    }

    /** The timeouts of a client apply to single reads, and each of these ends in time. */
    @Test
    void connect_handshakeWithoutEnd_endsTheConnection() {
        byte[] drop = "a".getBytes(StandardCharsets.US_ASCII);
        try (HostileServer server = HostileServer.replying("HELLO", "+".getBytes(StandardCharsets.US_ASCII), drop);
                Holdfast client = Holdfast.connect(List.of(server.uri().toString()), OPTIONS)) {
            eventually("the client connects again", () -> server.acceptedConnections() > 1);

            requireDocumented(catchThrowable(() -> client.lock("a", BRIEF).acquire()));
        }
    }

    /** A client closes the connection also if its own code fails on the reply. */
    @ParameterizedTest
    @ValueSource(strings = {":1\r\n", "+OK\r\n", "*1\r\n:1\r\n", "%1\r\n:1\r\n:1\r\n", "_\r\n", "#t\r\n"})
    void connect_handshakeOfAnotherType_leavesNoConnection(String reply) {
        byte[] bytes = reply.getBytes(StandardCharsets.US_ASCII);
        try (HostileServer server = HostileServer.replying("HELLO", bytes, new byte[0])) {
            try (Holdfast client = Holdfast.connect(List.of(server.uri().toString()), OPTIONS)) {
                requireDocumented(
                        catchThrowable(() -> client.lock("a", BRIEF).acquire().release()));
            }

            eventually("all connections are closed", () -> server.openConnections() == 0);
        }
    }

    /** Each client is closed in another moment of its first attempt to connect. */
    @Test
    void close_whileTheClientConnects_leavesNoConnection() {
        try (HostileServer server =
                HostileServer.replying("HELLO", "+OK\r\n".getBytes(StandardCharsets.US_ASCII), new byte[0])) {
            for (int i = 0; i < CLOSED_CLIENTS; i++) {
                // An interrupted thread does not wait for the connection.
                Thread.currentThread().interrupt();
                Holdfast client = Holdfast.connect(List.of(server.uri().toString()), OPTIONS);
                assertThat(Thread.interrupted()).isTrue();
                LockSupport.parkNanos(i * BETWEEN_CLOSES.toNanos());
                client.close();
            }

            eventually("all connections are closed", () -> server.openConnections() == 0);
        }
    }

    /** A quorum of honest servers is enough, whatever a third one sends. */
    @Test
    void acquire_oneOfThreeServersIsHostile_isGranted() {
        try (RedisServers servers = RedisServers.start(2)) {
            FuzzSeeds.run("one hostile server of three, " + getClass().getSimpleName(), 6, seed -> {
                try (HostileServer hostile = HostileServer.random(seed)) {
                    try (Holdfast client = Holdfast.connect(with(servers, hostile), PATIENT)) {
                        Lease lease = client.lock("a", LOCK).acquire();
                        lease.release();
                    }
                }
            });
        }
    }

    /**
     * Two honest servers refuse what the third grants. With one honest vote the lock would be granted: see SECURITY.md.
     */
    @Test
    void acquire_oneServerGrantsFalsely_isRefusedByTheOthers() throws InterruptedException {
        byte[] granted = "*1\r\n$7\r\ngranted\r\n".getBytes(StandardCharsets.US_ASCII);
        try (RedisServers servers = RedisServers.start(2);
                HostileServer hostile = HostileServer.replying("EVALSHA", granted, new byte[0]);
                Holdfast holder = Holdfast.connect(with(servers, hostile), PATIENT);
                Holdfast other = Holdfast.connect(with(servers, hostile), PATIENT)) {
            holder.lock("a", LOCK).acquire();
            servers.forEach(server -> eventually("it has the lock", () -> server.exec("GET", "a") != null));

            assertThat(other.lock("a", LOCK).tryAcquire()).isEmpty();
        }
    }

    /** One false reply must neither fail a lock nor raise the tokens of honest servers. */
    @Test
    void acquire_oneServerRepliesTheGreatestToken_isGrantedByTheOthers() throws InterruptedException {
        byte[] stale = "*2\r\n$5\r\nstale\r\n$16\r\n9007199254740991\r\n".getBytes(StandardCharsets.US_ASCII);
        try (RedisServers servers = RedisServers.start(2);
                HostileServer hostile = HostileServer.replying("EVALSHA", stale, new byte[0]);
                Holdfast client = Holdfast.connect(with(servers, hostile), PATIENT)) {
            FencingToken last = FencingToken.NONE;
            for (int i = 0; i < 10; i++) {
                Lease lease = client.lock("a", LOCK).acquire();
                assertThat(lease.fencingToken()).isGreaterThan(last).isLessThan(FencingToken.GREATEST);
                last = lease.fencingToken();
                lease.release();
            }
            assertThat(last.value()).isLessThan((System.currentTimeMillis() + 60_000) * 1_000);
        }
    }

    private static List<String> with(RedisServers servers, HostileServer hostile) {
        List<String> addresses = new ArrayList<>(servers.addresses());
        addresses.add(hostile.uri().toString());
        return addresses;
    }

    @Test
    void connect_timeoutOfManyYears_connects() throws InterruptedException {
        HoldfastOptions patient =
                OPTIONS.toBuilder().connectTimeout(LockOptions.FOREVER).build();
        try (RedisServers servers = RedisServers.start(1);
                Holdfast client = Holdfast.connect(servers.addresses(), patient)) {
            assertThat(client.lock("a", LOCK).tryAcquire()).isPresent();
        }
    }
}
