package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that answers {@code INFO}, and claims only if the test says so. */
class ClaimWatchTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    private final VirtualTime time = new VirtualTime();
    private final Server server = new Server();
    private final AtomicInteger timers = new AtomicInteger();
    private final HandshakeGate gate =
            new HandshakeGate(server, SETTINGS, new DistinctServers(), false, new CountedTime());

    private final class CountedTime implements Time {

        @Override
        public Moment now() {
            return time.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            timers.incrementAndGet();
            return time.schedule(delay, task);
        }

        @Override
        public void execute(Runnable task) {
            time.execute(task);
        }
    }

    private static final class Server implements NodeConnection {

        private final List<String> replacements = new ArrayList<>();
        private final List<CompletableFuture<RedisReply>> unanswered = new ArrayList<>();
        private boolean answers;
        private RedisSession session = newSession();

        private RedisSession newSession() {
            return command -> {
                CompletableFuture<RedisReply> reply = new CompletableFuture<>();
                if (command.get(0).equals("INFO")) {
                    reply.complete(new RedisReply.Value(
                            "role:master\r\nmaxmemory_policy:noeviction\r\ncluster_enabled:0\r\n"));
                } else {
                    unanswered.add(reply);
                }
                if (answers) {
                    answerAll();
                }
                return reply;
            };
        }

        void answerAll() {
            List<CompletableFuture<RedisReply>> replies = List.copyOf(unanswered);
            unanswered.clear();
            replies.forEach(reply -> reply.complete(new RedisReply.Value("granted")));
        }

        @Override
        public String name() {
            return "redis://a:6379";
        }

        @Override
        public RedisSession session() {
            return session;
        }

        @Override
        public void replace(RedisSession rejected, String cause) {
            assertThat(rejected).isSameAs(session);
            replacements.add(cause);
            session = newSession();
            List<CompletableFuture<RedisReply>> replies = List.copyOf(unanswered);
            unanswered.clear();
            replies.forEach(reply -> reply.complete(new RedisReply.NoReply(true, "the connection has ended")));
        }

        @Override
        public void close() {}
    }

    @Test
    void claims_unansweredFor10s_connectionIsReplacedAndNodeDoesNotVote() {
        claim();
        time.advance(Duration.ofSeconds(9));
        assertThat(server.replacements).isEmpty();
        assertThat(gate.status().votes()).isTrue();

        time.advance(Duration.ofSeconds(2));

        assertThat(server.replacements).containsExactly("it has not answered a claim for 10 s");
        assertThat(gate.status())
                .returns(NodeStatus.State.UNREACHABLE, NodeStatus::state)
                .returns("it has not answered a claim for 10 s", NodeStatus::cause);
    }

    /** A new connection to the same server answers INFO, but no claim. */
    @Test
    void claims_unansweredOverTheNextConnection_nodeDoesNotVote() {
        for (int i = 0; i < 60; i++) {
            claim();
            time.advance(Duration.ofSeconds(1));
            assertThat(gate.status().votes()).as("after " + (i + 1) + " s").isEqualTo(i < 9);
        }

        assertThat(server.replacements).hasSizeBetween(5, 6);
    }

    @Test
    void claims_answeredAgain_nodeVotes() {
        claim();
        time.advance(Duration.ofSeconds(11));

        claim();
        server.answerAll();

        assertThat(gate.status().votes()).isTrue();
    }

    /** Without claims nothing shows that the server is still silent. */
    @Test
    void claims_noneIsSentForHalfAMinute_nodeVotes() {
        claim();
        time.advance(Duration.ofSeconds(11));

        time.advance(Duration.ofSeconds(31));

        assertThat(gate.status().votes()).isTrue();
        assertThat(server.replacements).hasSize(1);
    }

    @Test
    void claims_someAreAnswered_connectionIsKept() {
        for (int i = 0; i < 60; i++) {
            claim();
            claim();
            server.unanswered.remove(0).complete(new RedisReply.Value("granted"));
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(server.replacements).isEmpty();
    }

    /** A claim that is rejected at once, because too many wait, is no answer of the server. */
    @Test
    void claims_laterOnesAreRejected_connectionIsReplaced() {
        claim();
        for (int i = 0; i < 11; i++) {
            gate.whenIdentified(
                    (session, run) -> CompletableFuture.completedFuture("too many"), RedisReply.NoReply::cause);
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(server.replacements).hasSize(1);
    }

    /** The thread that failed was the last one to send a claim over this connection. */
    @Test
    void claims_threadFailedAndNoOtherCalls_areSentAfterASecond() {
        List<CompletionStage<String>> left = new ArrayList<>();
        gate.whenIdentified(
                (session, run) -> session.claims().sendAlone(() -> {
                    left.add(session.claims().sendAlone(() -> CompletableFuture.completedFuture("sent")));
                    throw new StackOverflowError();
                }),
                RedisReply.NoReply::cause);
        assertThat(left.get(0).toCompletableFuture()).isNotDone();

        time.advance(Duration.ofSeconds(1));

        assertThat(left.get(0)).isCompletedWithValue("sent");
    }

    @Test
    void checks_connectionWithoutCalls_end() {
        claim();
        server.replace(server.session(), "closed");
        time.advance(Duration.ofSeconds(6));
        int before = timers.get();

        time.advance(Duration.ofMinutes(1));

        assertThat(timers).hasValue(before);
    }

    private void claim() {
        gate.whenIdentified(
                (session, run) ->
                        session.claims().sendAlone(() -> session.session().send(List.of("EVALSHA"))),
                none -> none);
    }
}
