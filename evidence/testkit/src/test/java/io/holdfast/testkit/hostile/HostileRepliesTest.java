package io.holdfast.testkit.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.record.LockRecord;
import io.holdfast.redis.RedisNodes;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that reply anything to the commands of a client, in virtual time. */
@Tag("slow")
@Tag("evidence")
class HostileRepliesTest {

    private static final List<String> ADDRESSES = List.of(
            "redis://host:%d",
            "redis://host:%d?locks=transactions",
            "redis://host:%d?locks=timestamps",
            "redis://host:%d?locks=timestamps-in-seconds",
            "redis-cluster://host:%d",
            "redis-sentinel://host:%d#main");

    private static final Duration WAIT_LIMIT = Duration.ofSeconds(2);
    private static final int LONGEST_MESSAGE = 2_000;

    /** A client of some nodes, all hostile, and what it does in one test. */
    private static final class Client implements AutoCloseable {

        private final Random random;
        private final VirtualTime time = new VirtualTime();
        private final List<LockNode> nodes;
        private final Holdfast holdfast;

        Client(long seed) {
            this.random = new Random(seed);
            String address = ADDRESSES.get(random.nextInt(ADDRESSES.size()));
            boolean guarded = address.endsWith("%d") && !address.contains("cluster") && random.nextBoolean();
            int count = random.nextBoolean() ? 1 : 3;
            QuorumConfig config = new QuorumConfig(count, Duration.ofMinutes(1));
            Function<ServerAddress, RedisConnector> client =
                    server -> new HostileConnector(server, random, time, address.contains("cluster"));
            this.nodes = RedisNodes.connect(
                    IntStream.range(0, count)
                            .mapToObj(i -> NodeAddress.parse(address.formatted(6_379 + i)))
                            .toList(),
                    client,
                    client,
                    new NodeSettings(config, guarded, Duration.ofMillis(1)),
                    time);
            HoldfastOptions options = HoldfastOptions.builder()
                    .restarts(guarded ? RestartPolicy.QUARANTINE : RestartPolicy.DURABLE)
                    .build();
            this.holdfast = Holdfast.over(nodes, options, time, new Random(seed));
        }

        /** Requires that the call ends within the duration, normally or with a documented exception. */
        <T> CompletableFuture<T> ends(String call, CompletionStage<T> stage, Duration within) {
            CompletableFuture<T> future = stage.toCompletableFuture();
            time.advance(within);
            assertThat(future).as(call + " of " + nodes.get(0).name()).isDone();
            if (future.isCompletedExceptionally()) {
                requireDocumented(call, failure(future));
            }
            return future;
        }

        private static Throwable failure(CompletableFuture<?> future) {
            try {
                future.getNow(null);
            } catch (CompletionException e) {
                return e.getCause() == null ? e : e.getCause();
            }
            throw new AssertionError("This future has failed");
        }

        private static void requireDocumented(String call, Throwable failure) {
            assertThat(failure)
                    .as(call)
                    .isInstanceOfAny(
                            HoldfastException.class, IllegalStateException.class, IllegalArgumentException.class)
                    .hasMessageNotContainingAny("java.", "null", "Index", "For input");
            assertThat(failure.getMessage())
                    .as(call)
                    .hasSizeLessThan(LONGEST_MESSAGE)
                    .doesNotContain("secret");
            assertThat(String.valueOf(failure.getMessage()).chars().noneMatch(Character::isISOControl))
                    .as(call + " without control characters: " + failure.getMessage())
                    .isTrue();
        }

        void lock() {
            LockOptions options = LockOptions.builder()
                    .lease(Duration.ofSeconds(2))
                    .waitLimit(random.nextBoolean() ? Duration.ZERO : WAIT_LIMIT)
                    .fair(random.nextBoolean())
                    .build();
            List<CompletableFuture<Lease>> acquired = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                acquired.add(holdfast.lock("order", options).acquireAsync());
            }
            acquired.forEach(one -> ends("acquire", one, WAIT_LIMIT.multipliedBy(3)));
            acquired.stream().filter(one -> !one.isCompletedExceptionally()).forEach(one -> use(one.join()));
        }

        private void use(Lease lease) {
            time.advance(Duration.ofMillis(random.nextInt(3_000)));
            lease.state();
            ends("extend", lease.extendAsync(Duration.ofSeconds(1)), WAIT_LIMIT);
            ends("release", lease.releaseAsync(), WAIT_LIMIT);
        }

        void ask() {
            LockNode node = nodes.get(random.nextInt(nodes.size()));
            Duration limit = Duration.ofSeconds(10);
            Claim claim = Claim.acquire("order", new Owner("owner"), Duration.ofSeconds(1), new FencingToken(1_000));
            Claim one = random.nextBoolean() ? claim : claim.withMode(LockMode.SHARED);
            ends("ask", node.ask(one), limit);
            ends("release", node.ask(one.release()), limit);
            node.askAll(List.of(one, one)).forEach(asked -> ends("askAll", asked, limit));
            ends("inspect", node.admin().inspect("order"), limit);
            ends("names", node.admin().names(""), limit);
            ends("marks", node.admin().marks(List.of("order", "report")), limit);
            ends("evict", node.admin().evict("order", "note"), limit);
            ends("annotate", node.admin().annotate(claim, "text"), limit);
            ends("examine", node.admin().examine(time), limit);
            ends("read", node.records().read("order"), limit);
            LockRecord record = new LockRecord("text", new FencingToken(2), LockRecord.ALWAYS);
            ends("write", node.records().write("order", new Owner("owner"), record, limit), limit);
            assertThat(node.status().name()).isEqualTo(node.name());
        }

        @Override
        public void close() {
            holdfast.close();
            time.advance(Duration.ofMinutes(2));
        }
    }

    @Test
    void calls_serversReplyAnything_endWithDocumentedOutcomes() {
        FuzzSeeds.run("hostile replies", 400, seed -> {
            int before = HostileConnector.OPEN.get();
            try (Client client = new Client(seed)) {
                client.ask();
                client.lock();
                client.lock();
            }
            assertThat(HostileConnector.OPEN).hasValue(before);
        });
    }
}
