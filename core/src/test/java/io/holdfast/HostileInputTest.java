package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Handles and options with any content: each is rejected with a reason, or works. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class HostileInputTest {

    private static final long SEED = Long.getLong("holdfast.seed", 42);
    private static final int HANDLES = Integer.getInteger("holdfast.fuzz.handles", 50_000);
    private static final int OPTIONS = Integer.getInteger("holdfast.fuzz.options", 5_000);
    private static final List<Duration> DURATIONS = List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofMillis(10),
            Duration.ofMillis(11),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofHours(24),
            Duration.ofDays(36_525),
            Duration.ofNanos(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofMillis(-1));
    private static final String PARTS = "hf1:s/=+-_0123456789abc \t\n\u0000\u00fc";

    private final Random random = new Random(SEED);

    @Test
    void parse_anyText_isAHandleOrIllegal() {
        int handles = 0;
        for (int i = 0; i < HANDLES; i++) {
            String text = i % 2 == 0 ? mutated(handle().text()) : anyText(60);
            try {
                DetachedLease lease = DetachedLease.parse(text);
                handles++;
                assertThat(DetachedLease.parse(lease.text())).isEqualTo(lease);
                assertThat(lease.resource()).isNotBlank();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("The handle of a lease looks like");
                assertThat(e.getMessage()).as("no part of a secret").hasSizeLessThan(200);
            }
        }
        assertThat(handles).isBetween(1, HANDLES / 2);
    }

    private DetachedLease handle() {
        return new DetachedLease(
                "order:" + random.nextInt(),
                Owner.fresh(new SecureRandom()),
                random.nextBoolean() ? LockMode.EXCLUSIVE : LockMode.SHARED,
                new FencingToken(random.nextInt(Integer.MAX_VALUE)),
                random.nextInt(200));
    }

    private String mutated(String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(changed.length());
            if (random.nextInt(3) == 0) {
                changed.delete(at, Math.min(changed.length(), at + 1 + random.nextInt(5)));
            } else {
                changed.insert(at, random.nextInt(3) == 0 ? "9".repeat(random.nextInt(30)) : anyText(1));
            }
        }
        return changed.toString();
    }

    private String anyText(int length) {
        StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? "hf1:" : "");
        for (int i = 0; i < length; i++) {
            text.append(PARTS.charAt(random.nextInt(PARTS.length())));
        }
        return text.toString();
    }

    @Test
    void build_anyOptions_workOrAreIllegal() {
        int accepted = 0;
        for (int i = 0; i < OPTIONS; i++) {
            try {
                HoldfastOptions client = clientOptions();
                LockOptions lock = lockOptions();
                use(client, lock);
                accepted++;
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("[a-zA-Z]+ .+ (is|are) .*[;:].+");
            }
        }
        assertThat(accepted).isBetween(1, OPTIONS - 1);
    }

    private static void use(HoldfastOptions clientOptions, LockOptions lockOptions) {
        VirtualTime time = new VirtualTime();
        InMemoryNode node = new InMemoryNode("node", time);
        try (Holdfast holdfast = Holdfast.over(List.of(node), clientOptions, time, new Random(1))) {
            CompletableFuture<Lease> first = holdfast.lock("order", lockOptions).acquireAsync();
            CompletableFuture<Lease> second =
                    holdfast.lock("order", lockOptions).acquireAsync();
            time.advance(Duration.ofSeconds(3));
            if (first.isDone() && !first.isCompletedExceptionally()) {
                first.join().releaseAsync();
            }
            time.advance(Duration.ofSeconds(3));
            assertThat(first).as(clientOptions + " " + lockOptions).isDone();
            assertThat(second).as(clientOptions + " " + lockOptions).isDone();
        }
    }

    private HoldfastOptions clientOptions() {
        HoldfastOptionsBuilder options = HoldfastOptions.builder()
                .connectTimeout(any(DURATIONS))
                .restarts(RestartPolicy.DURABLE)
                .strictFences(random.nextBoolean());
        if (random.nextBoolean()) {
            options.maxLease(any(DURATIONS));
        }
        if (random.nextInt(4) == 0) {
            options.replicas(any(List.of(0, 1, -1, 100, 101, Integer.MAX_VALUE, Integer.MIN_VALUE)));
        }
        return options.build();
    }

    private LockOptions lockOptions() {
        LockOptionsBuilder options = LockOptions.builder();
        if (random.nextBoolean()) {
            options.lease(any(DURATIONS));
        }
        if (random.nextInt(3) == 0) {
            options.waitLimit(any(DURATIONS));
        }
        if (random.nextInt(3) == 0) {
            options.holdLimit(any(DURATIONS));
        }
        if (random.nextInt(3) == 0) {
            options.nodeTimeout(any(DURATIONS));
        }
        if (random.nextInt(3) == 0) {
            options.retryDelays(any(DURATIONS), any(DURATIONS));
        }
        if (random.nextInt(3) == 0) {
            options.driftShare(any(List.of(0.0, 0.01, 0.5, 1.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY)));
        }
        return options.fair(random.nextBoolean()).renewal(random.nextBoolean()).build();
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
