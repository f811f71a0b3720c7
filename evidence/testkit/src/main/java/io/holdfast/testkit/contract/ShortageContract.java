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
import io.holdfast.servers.Eventually;
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
 * A contract for a node whose process cannot start threads, whose callers have full stacks, or whose connection has too
 * many pending commands, with any Redis client.
 */
public abstract class ShortageContract {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, PatientOptions.CLIENT.connectTimeout());
    /** A call needs up to 40 KB, and a frame 100 bytes. */
    private static final int DEPTHS = 500;

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
                            failed -> assertThat(failed.mayBeCarriedOut()).isFalse())
                    .asString()
                    .contains("wait for an answer");
            // New claims must not end the leases that a client has.
            Claim extension = claim().extend(Duration.ofMinutes(1));
            CompletableFuture<Reply> extended =
                    node.askAll(List.of(extension, extension)).get(0).toCompletableFuture();
            assertThat(extended).isNotDone();
            network.pass();
            waiting.forEach(CompletableFuture::join);
            extended.join();
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

    /** A thread writes the claims of others with its own. If it fails in any step of that, the next thread goes on. */
    @Test
    void ask_callersHaveNoStackLeft_othersAreServed() {
        try (RedisServer server = RedisServer.start();
                SystemTime time = new SystemTime();
                LockNode node = connect(server.uri(), time)) {
            // Loads the classes: one whose initialization fails cannot be used any more.
            Eventually.result(extendAfter(node));

            inFullStacks(() -> acquire(node));

            assertThat(Eventually.result(acquire(node))).isEqualTo(Reply.GRANTED);
            assertThat(Eventually.result(extendAfter(node))).isEqualTo(Reply.GRANTED);
        }
    }

    /** Makes the call at each of the last depths of a stack, in two threads at once. */
    private static void inFullStacks(Runnable call) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(null, () -> descend(call, new AtomicInteger(DEPTHS)), "full stack", 512 * 1024);
            thread.start();
            threads.add(thread);
        }
        threads.forEach(ShortageContract::join);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static void descend(Runnable call, AtomicInteger calls) {
        try {
            descend(call, calls);
        } catch (StackOverflowError full) {
            // The calls begin here.
        }
        if (calls.getAndDecrement() > 0) {
            try {
                call.run();
            } catch (Error full) {
                // A call nearer to the beginning of the stack has more room.
            }
        }
    }

    private static CompletableFuture<Reply> extendAfter(LockNode node) {
        Claim claim = claim();
        return node.ask(claim)
                .thenCompose(granted -> node.ask(claim.extend(Duration.ofMinutes(1))))
                .toCompletableFuture();
    }

    /** While its clients are paused, the server answers {@code INFO} on each new connection, but no claim. */
    @Test
    void status_claimsAreNotAnswered_votesOnceTheyAre() {
        try (RedisServer server = RedisServer.start();
                ScaledTime time = ScaledTime.fast(20);
                LockNode node = connect(server.uri(), time)) {
            assertThat(Eventually.result(acquire(node))).isEqualTo(Reply.GRANTED);

            server.exec("CLIENT", "PAUSE", "600000", "WRITE");

            eventually("the node does not vote", () -> {
                acquire(node);
                return node.status().cause().contains("not answered a claim");
            });
            server.exec("CLIENT", "UNPAUSE");
            eventually(
                    "the node votes",
                    () -> acquire(node).join().equals(Reply.GRANTED)
                            && node.status().votes());
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
