package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims that arrive while others await a reply go out together, and a claim never waits for others. */
@Tag("server")
class NaturalBatchTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, PatientOptions.CLIENT.connectTimeout());
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void ask_whileTheConnectionIsBusy_takesOneCommandAfterTheFirst() throws InterruptedException {
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch isFree = new CountDownLatch(1);
        try (RedisServer server = RedisServer.start();
                SystemTime time = new SystemTime();
                LockNode node = new LettuceNodes()
                        .connect(List.of(NodeAddress.parse(server.uri().toString())), SETTINGS, time)
                        .get(0)) {
            node.listen("inbox", wakeUp -> {
                isBusy.countDown();
                await(isFree);
            });
            subscribe(node);
            // The consumer of messages runs on the thread that writes.
            server.exec("PUBLISH", "holdfast:inbox:inbox", "0 1 a");
            isBusy.await();
            server.exec("CONFIG", "RESETSTAT");

            List<CompletableFuture<Reply>> asked = IntStream.range(0, 50)
                    .mapToObj(i -> node.ask(claim("lock-" + i)).toCompletableFuture())
                    .toList();
            isFree.countDown();

            assertThat(asked.stream().map(CompletableFuture::join)).containsOnly(Reply.GRANTED);
            // The first claim is alone. The server does not know the script of batches before.
            assertThat(Objects.toString(server.exec("INFO", "commandstats")))
                    .contains("cmdstat_evalsha:calls=2,", "cmdstat_eval:calls=1,");
        }
    }

    @Test
    void ask_oneAfterAnother_takesTheScriptOfOneClaim() {
        try (RedisServer server = RedisServer.start();
                SystemTime time = new SystemTime();
                LockNode node = new LettuceNodes()
                        .connect(List.of(NodeAddress.parse(server.uri().toString())), SETTINGS, time)
                        .get(0)) {
            subscribe(node);
            server.exec("CONFIG", "RESETSTAT");

            for (int i = 0; i < 10; i++) {
                assertThat(node.ask(claim("lock-" + i)).toCompletableFuture().join())
                        .isEqualTo(Reply.GRANTED);
            }

            assertThat(Objects.toString(server.exec("INFO", "commandstats")))
                    .contains("cmdstat_evalsha:calls=10,")
                    .doesNotContain("cmdstat_eval:");
        }
    }

    /** Acquires a lock with a ticket, which subscribes and loads the script. */
    private static void subscribe(LockNode node) {
        WaitTicket ticket = new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE);
        eventually(
                "the node is connected",
                () -> Reply.GRANTED.equals(node.ask(claim("a").withTicket(ticket))
                        .toCompletableFuture()
                        .join()));
    }

    private static Claim claim(String resource) {
        return Claim.acquire(resource, new Owner("owner-of-" + resource), TTL, new FencingToken(1_000));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
