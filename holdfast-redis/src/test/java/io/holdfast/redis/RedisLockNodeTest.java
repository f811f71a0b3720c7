package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.Fleet;
import io.holdfast.node.NodeTerms;
import io.holdfast.node.Owner;
import io.holdfast.node.Reply;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the node makes of answers that no healthy server gives; the others are in the contract, on real servers. */
class RedisLockNodeTest {

    private static final NodeTerms TERMS =
            new NodeTerms(new Fleet(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    static Stream<Answer> unintelligible() {
        return Stream.of(
                new Answer.Value(null),
                new Answer.Value("OK"),
                new Answer.Value(1L),
                new Answer.Value(List.of()),
                new Answer.Value(List.of("refused", 5L)),
                new Answer.Value(List.of("refused", 5L, "many")),
                new Answer.Value(List.of("stale", "-1")),
                new Answer.Value(List.of("perhaps")));
    }

    @ParameterizedTest
    @MethodSource("unintelligible")
    void ask_answerMakesNoSense_isUnknown(Answer answer) {
        assertThat(ask(answer))
                .isInstanceOfSatisfying(
                        Reply.Failed.class,
                        failed -> assertThat(failed.mayHaveLanded()).isTrue());
    }

    private static Reply ask(Answer answer) {
        RedisPort port = new RedisPort() {
            @Override
            public String name() {
                return "a server gone mad";
            }

            @Override
            public RedisSession session() {
                Answer introduction = new Answer.Value("role:master\r\nrun_id:1\r\n");
                return command ->
                        CompletableFuture.completedFuture(command.get(0).equals("INFO") ? introduction : answer);
            }

            @Override
            public void close() {}
        };
        Claim claim = Claim.acquire("a", new Owner("me"), Duration.ofSeconds(1), new FencingToken(2));
        return new RedisLockNode(port, TERMS, new Neighbours(), new VirtualTime())
                .ask(claim)
                .toCompletableFuture()
                .join();
    }
}
