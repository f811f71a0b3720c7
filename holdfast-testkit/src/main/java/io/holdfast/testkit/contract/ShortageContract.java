package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.redis.client.PendingCommands;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.testkit.ScaledTime;
import io.holdfast.testkit.fault.ConnectionEnd;
import io.holdfast.testkit.fault.FaultProxy;
import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A contract for a node whose process cannot start threads, or whose connection has too many pending commands, with any
 * Redis client.
 */
public abstract class ShortageContract {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, PatientOptions.CLIENT.connectTimeout());
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A machine on which a given number of attempts to start a thread fail. */
    private static final class ShortOfThreads implements Time, AutoCloseable {

        private final SystemTime real = new SystemTime();
        private final AtomicInteger failures = new AtomicInteger();

        @Override
        public Moment now() {
            return real.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return real.schedule(delay, task);
        }

        @Override
        public void execute(Runnable task) {
            if (failures.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            real.execute(task);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void ask_threadStartFailedWhenTheConnectionEnded_nodeVotesAgain(int attempts) {
        try (RedisServer server = RedisServer.start();
                FaultProxy network = FaultProxy.to(server.uri());
                ShortOfThreads time = new ShortOfThreads();
                LockNode node = connect(network.uri(), time)) {
            assertThat(acquire(node).join()).isEqualTo(Reply.GRANTED);
            time.failures.set(attempts);

            network.drop(ConnectionEnd.RESET);

            eventually("the node votes again", () -> acquire(node).join().equals(Reply.GRANTED));
            network.drop(ConnectionEnd.RESET);
            eventually(
                    "the node votes again the next time",
                    () -> acquire(node).join().equals(Reply.GRANTED));
        }
    }

    /** Claims in batches take few commands, and are bounded all the same. */
    @Test
    void ask_serverHangsUnderManyClaims_rejectsFurtherOnes() {
        try (RedisServer server = RedisServer.start();
                FaultProxy network = FaultProxy.to(server.uri());
                ScaledTime silence = ScaledTime.slow(100);
                LockNode node = connect(network.uri(), silence)) {
            acquire(node).join();
            network.hold();
            List<CompletableFuture<Reply>> waiting = new ArrayList<>();
            for (int i = 0; i < PendingCommands.MAX_PENDING; i++) {
                waiting.add(acquire(node));
            }

            assertThat(acquire(node).join())
                    .isInstanceOfSatisfying(
                            Reply.Failed.class,
                            failed -> assertThat(failed.mayHaveLanded()).isFalse())
                    .asString()
                    .contains("wait for an answer");
            network.pass();
            waiting.forEach(CompletableFuture::join);
            assertThat(acquire(node).join()).isEqualTo(Reply.GRANTED);
        }
    }

    /** A subscription that is rejected at the bound must not change the number of pending commands. */
    @Test
    @Tag("evidence")
    void ask_subscriptionRejectedAtTheBound_keepsTheBound() {
        try (RedisServer server = RedisServer.start();
                FaultProxy network = FaultProxy.to(server.uri());
                ScaledTime silence = ScaledTime.slow(100);
                LockNode node = connect(network.uri(), silence)) {
            acquire(node).join();
            network.hold();
            List<CompletableFuture<Reply>> waiting = fill(node);
            node.listen("inbox", wake -> {});
            Claim queued = claim().withTicket(new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE));
            assertThat(node.ask(queued).toCompletableFuture().join().toString()).contains("wait for an answer");
            network.pass();
            waiting.forEach(CompletableFuture::join);

            network.hold();
            waiting = fill(node);

            assertThat(acquire(node))
                    .isCompletedWithValueMatching(reply -> reply.toString().contains("wait for an answer"));
            network.pass();
            waiting.forEach(CompletableFuture::join);
        }
    }

    /** Sends as many commands as may be pending. An extension never shares its command. */
    private static List<CompletableFuture<Reply>> fill(LockNode node) {
        List<CompletableFuture<Reply>> waiting = new ArrayList<>();
        for (int i = 0; i < PendingCommands.MAX_PENDING; i++) {
            waiting.add(node.ask(claim().extend(Duration.ofMinutes(1))).toCompletableFuture());
        }
        return waiting;
    }

    private static LockNode connect(URI uri, Time time) {
        return ClientUnderTest.connect(uri, SETTINGS, time);
    }

    private static CompletableFuture<Reply> acquire(LockNode node) {
        return node.ask(claim()).toCompletableFuture();
    }

    private static Claim claim() {
        Owner owner = Owner.fresh(RANDOM);
        return Claim.acquire(
                owner.token(), owner, Duration.ofMinutes(1), new FencingToken(1_000_000 + RANDOM.nextInt(1_000)));
    }
}
