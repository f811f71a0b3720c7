package io.holdfast.node.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Completed;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimBatchesTest {

    private final ClaimBatches<String> batches = new ClaimBatches<>();
    private final Connection connection = new Connection();

    /** A connection that writes when the test says so. Replies name the resource. */
    private static final class Connection implements ClaimBatches.Sender<String> {

        private final List<Message> unwritten = new ArrayList<>();
        /** The resources of each written message. */
        private final List<List<String>> written = new ArrayList<>();

        private record Message(Supplier<List<Claim>> claims, CompletableFuture<IntFunction<String>> reply) {}

        @Override
        public CompletionStage<IntFunction<String>> send(Supplier<List<Claim>> claims) {
            Message message = new Message(claims, new CompletableFuture<>());
            unwritten.add(message);
            return message.reply;
        }

        /** Writes the next message, and returns its reply, which does not arrive by itself. */
        Runnable write() {
            Message message = unwritten.remove(0);
            List<String> resources =
                    message.claims.get().stream().map(Claim::resource).toList();
            written.add(resources);
            return () -> message.reply.complete(resources::get);
        }

        void writeAll() {
            while (!unwritten.isEmpty()) {
                write().run();
            }
        }
    }

    @Test
    void send_connectionIsFree_goesOutAlone() {
        CompletionStage<String> a = ask("a");
        connection.writeAll();
        CompletionStage<String> b = ask("b");
        connection.writeAll();

        assertThat(connection.written).containsExactly(List.of("a"), List.of("b"));
        assertThat(a).isCompletedWithValue("a");
        assertThat(b).isCompletedWithValue("b");
    }

    @Test
    void send_earlierClaimIsNotWritten_goesOutWithIt() {
        CompletionStage<String> a = ask("a");
        CompletionStage<String> b = ask("b");
        CompletionStage<String> c = ask("c");

        connection.writeAll();

        assertThat(connection.written).containsExactly(List.of("a", "b", "c"));
        assertThat(a).isCompletedWithValue("a");
        assertThat(b).isCompletedWithValue("b");
        assertThat(c).isCompletedWithValue("c");
    }

    @Test
    void send_earlierClaimIsWrittenButNotAnswered_doesNotWait() {
        ask("a");
        Runnable reply = connection.write();

        CompletionStage<String> b = ask("b");
        connection.writeAll();
        assertThat(b).isCompletedWithValue("b");

        reply.run();
        assertThat(connection.written).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void send_sameResource_goesOutInTheNextBatch() {
        ask("a");
        ask("b");
        ask("a");
        ask("b");
        ask("c");

        connection.writeAll();

        assertThat(connection.written).containsExactly(List.of("a", "b"), List.of("a", "b", "c"));
    }

    @Test
    void send_moreThanTheBound_takesSeveralBatches() {
        for (int i = 0; i < 249; i++) {
            ask("lock-" + i);
        }
        CompletionStage<String> last = ask("last");

        connection.writeAll();

        assertThat(connection.written).extracting(List::size).containsExactly(100, 100, 50);
        assertThat(last).isCompletedWithValue("last");
    }

    @Test
    void sendAlone_betweenClaims_separatesTheirBatches() {
        List<String> order = new ArrayList<>();
        ask("a");
        batches.sendAlone(() -> {
            order.add("alone after " + connection.unwritten.size());
            return CompletableFuture.completedFuture(1);
        });
        ask("b");

        connection.writeAll();

        assertThat(order).containsExactly("alone after 1");
        assertThat(connection.written).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void send_whileAnotherIsSent_isSentAfterIt() {
        List<CompletionStage<String>> later = new ArrayList<>();
        CompletionStage<String> a = batches.send(claim("a"), claims -> {
            later.add(ask("b"));
            return connection.send(claims);
        });

        connection.writeAll();

        assertThat(connection.written).containsExactly(List.of("a", "b"));
        assertThat(a).isCompletedWithValue("a");
        assertThat(later.get(0)).isCompletedWithValue("b");
    }

    /** The message was never written, so no claim may be added to it after that. */
    @Test
    void send_messageFailsUnwritten_laterClaimsAreSent() {
        CompletionStage<String> a = ask("a");
        connection.unwritten.remove(0).reply.complete(index -> "not sent");

        CompletionStage<String> b = ask("b");
        connection.writeAll();

        assertThat(a).isCompletedWithValue("not sent");
        assertThat(b).isCompletedWithValue("b");
    }

    @ParameterizedTest
    @MethodSource
    void send_senderThrows_failsTheClaimAndNoLaterOne(Runnable broken) {
        CompletionStage<String> a = batches.send(claim("a"), claims -> {
            broken.run();
            return new CompletableFuture<>();
        });

        CompletionStage<String> b = ask("b");
        connection.writeAll();

        assertThat(Completed.failure(a)).hasMessageContaining("broken");
        assertThat(b).isCompletedWithValue("b");
    }

    static Stream<Runnable> send_senderThrows_failsTheClaimAndNoLaterOne() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("broken");
                },
                () -> {
                    throw new LinkageError("broken");
                });
    }

    /** A later claim must not be added to a batch that was not sent. */
    @Test
    void send_stackIsFull_throwsAndSendsLaterClaims() {
        assertThatThrownBy(() -> batches.send(claim("a"), claims -> {
                    throw new StackOverflowError("full");
                }))
                .isInstanceOf(StackOverflowError.class);

        CompletionStage<String> b = ask("b");
        connection.writeAll();

        assertThat(connection.written).containsExactly(List.of("b"));
        assertThat(b).isCompletedWithValue("b");
    }

    /** One thread writes the claims of all. If it fails in its own, those of others are sent by the next thread. */
    @Test
    void send_stackIsFullWhileOthersWait_leavesTheirsToTheNextCall() {
        List<CompletionStage<?>> others = new ArrayList<>();
        assertThatThrownBy(() -> batches.sendAlone(() -> {
                    others.add(ask("b"));
                    others.add(batches.sendAlone(() -> CompletableFuture.completedFuture("c")));
                    throw new OutOfMemoryError("no memory");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(connection.unwritten).isEmpty();

        batches.resume();
        connection.writeAll();

        assertThat(others.get(0)).isCompletedWithValueMatching("b"::equals);
        assertThat(others.get(1)).isCompletedWithValueMatching("c"::equals);
    }

    @Test
    void send_tooFewReplies_failsTheOthers() {
        CompletionStage<String> a = ask("a");
        CompletionStage<String> b = ask("b");

        connection.unwritten.remove(0).reply.complete(List.of("only")::get);

        assertThat(a).isCompletedWithValue("only");
        assertThat(b.toCompletableFuture()).isCompletedExceptionally();
    }

    private CompletionStage<String> ask(String resource) {
        return batches.send(claim(resource), connection);
    }

    private static Claim claim(String resource) {
        return Claim.acquire(resource, new Owner("me"), Duration.ofSeconds(1), new FencingToken(2));
    }
}
