package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.FakeConnection;
import io.holdfast.redis.client.RedisReply;
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
    private final List<CompletableFuture<RedisReply>> unanswered = new ArrayList<>();
    private final FakeConnection server = new FakeConnection(this::reply);
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

    private CompletableFuture<RedisReply> reply(List<String> command) {
        if (command.get(0).equals("INFO")) {
            return CompletableFuture.completedFuture(FakeConnection.INFO);
        }
        CompletableFuture<RedisReply> reply = new CompletableFuture<>();
        unanswered.add(reply);
        return reply;
    }

    @Test
    void claims_unansweredFor10s_connectionIsReplacedAndNodeDoesNotVote() {
        claim();
        time.advance(Duration.ofSeconds(9));
        assertThat(server.replacements()).isEmpty();
        assertThat(gate.status().votes()).isTrue();

        time.advance(Duration.ofSeconds(2));

        assertThat(server.replacements()).containsExactly("it has not answered a claim for 10 s");
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

        assertThat(server.replacements()).hasSizeBetween(5, 6);
    }

    @Test
    void claims_answeredAgain_nodeVotes() {
        claim();
        time.advance(Duration.ofSeconds(11));

        claim();
        unanswered.forEach(reply -> reply.complete(new RedisReply.Value("granted")));

        assertThat(gate.status().votes()).isTrue();
    }

    /** Without claims nothing shows that the server is still silent. */
    @Test
    void claims_noneIsSentForHalfAMinute_nodeVotes() {
        claim();
        time.advance(Duration.ofSeconds(11));

        time.advance(Duration.ofSeconds(31));

        assertThat(gate.status().votes()).isTrue();
        assertThat(server.replacements()).hasSize(1);
    }

    @Test
    void claims_someAreAnswered_connectionIsKept() {
        for (int i = 0; i < 60; i++) {
            claim();
            claim();
            unanswered.remove(0).complete(new RedisReply.Value("granted"));
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(server.replacements()).isEmpty();
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

        assertThat(server.replacements()).hasSize(1);
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
