package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Component;

/** Tests what a call of an annotated method does, on a node in memory. */
class HoldfastLockTest {

    private @Nullable Application application;

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    private Application start() {
        application = Application.of(Shop.class, Prices.class);
        return application;
    }

    /** A bean of which expressions ask something. */
    @Component("prices")
    static class Prices {
        public String region() {
            return "east";
        }
    }

    /** The annotated methods of these tests. */
    static class Shop {

        final CountDownLatch never = new CountDownLatch(1);

        @HoldfastLock("order:#{#id}")
        public String ship(String id) {
            return CurrentLease.get().resource();
        }

        @HoldfastLock("#{@prices.region()}:${shop.name}:#{#p0 + 1}:#{#root.suffix()}")
        public String named(int number) {
            return CurrentLease.get().resource();
        }

        public String suffix() {
            return "end";
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP)
        public @Nullable String skipped() {
            return "ran";
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP)
        public Optional<String> maybe() {
            return Optional.of("ran");
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP)
        public CompletableFuture<String> skippedLater() {
            return CompletableFuture.completedFuture("ran");
        }

        @HoldfastLock("job")
        public CompletableFuture<String> loseLater(CompletableFuture<String> result) {
            Lease lease = CurrentLease.get();
            return result.whenComplete((done, failure) -> lease.limit(Duration.ZERO));
        }

        @HoldfastLock("job")
        public CompletionStage<String> later(CompletionStage<String> result) {
            return result;
        }

        @HoldfastLock(value = "job", onUnreachable = RefusalPolicy.SKIP)
        public @Nullable String unreachable() {
            return "ran";
        }

        @HoldfastLock("job")
        public <T> T inside(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", onLost = LossPolicy.LOG)
        public <T> T careless(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", onLost = LossPolicy.INTERRUPT)
        public void interruptible(Runnable before) throws InterruptedException {
            before.run();
            never.await();
        }

        /** Does not consume the interrupt. */
        @HoldfastLock(value = "job", onLost = LossPolicy.INTERRUPT)
        public void untilInterrupted(Runnable before) {
            before.run();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }

        @HoldfastLock(value = "job", holdAtLeast = "${shop.limit}")
        public void brief() {}

        @HoldfastLock(value = "job", shared = true)
        public <T> T reading(Supplier<T> body) {
            return body.get();
        }
    }

    @Test
    void call_lockIsFree_runsUnderItAndReleasesIt() {
        Shop shop = start().bean(Shop.class);

        assertThat(shop.ship("7")).isEqualTo("order:7");
        assertThat(running().isHeld("order:7")).isFalse();
        assertThat(CurrentLease.find()).isEmpty();
    }

    private Application running() {
        return Objects.requireNonNull(application);
    }

    @Test
    void call_nameWithBeanPropertyAndParameter_isEvaluated() {
        assertThat(start().bean(Shop.class).named(41)).isEqualTo("east:north:42:end");
    }

    @Test
    void call_expressionYieldsNothing_failsAndDoesNotRun() {
        Shop shop = start().bean(Shop.class);

        assertThatThrownBy(() -> shop.ship(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Shop.ship")
                .hasMessageContaining("#{#id} is empty");
    }

    @Test
    void call_heldElsewhere_throwsAfterTheWaitLimit() {
        Shop shop = start().bean(Shop.class);
        try (Lease held = running().holdElsewhere("order:7")) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> shop.ship("7")).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(shop.ship("7")).isEqualTo("order:7");
    }

    @Test
    void skip_heldElsewhere_returnsNothing() {
        Shop shop = start().bean(Shop.class);
        try (Lease held = running().holdElsewhere("job")) {
            assertThat(held.isValid()).isTrue();
            assertThat(shop.skipped()).isNull();
            assertThat(shop.maybe()).isEmpty();
            assertThat(shop.skippedLater()).isCompletedWithValue(null);
        }
        assertThat(shop.skipped()).isEqualTo("ran");
    }

    @Test
    void future_heldElsewhere_isAFailedFuture() {
        Shop shop = start().bean(Shop.class);
        try (Lease held = running().holdElsewhere("job")) {
            assertThat(held.isValid()).isTrue();
            CompletableFuture<String> result =
                    shop.later(new CompletableFuture<>()).toCompletableFuture();
            assertThatThrownBy(result::join).hasCauseInstanceOf(LockTimeoutException.class);
        }
    }

    /** A restart of the servers skips no scheduled task. */
    @Test
    void requests_noWaitForAHolder_waitForNodes() {
        VirtualTime time = new VirtualTime();
        try (Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random(1))) {
            DistributedLock lock = holdfast.lock("job");
            DistributedLock once = holdfast.lock(
                    "job", LockOptions.builder().waitLimit(Duration.ZERO).build());

            assertThat(HoldfastLockInterceptor.requests(lock)).isSameAs(lock);
            assertThat(HoldfastLockInterceptor.requests(once)).isNotSameAs(once);
        }
    }

    @Test
    void unreachable_policies_skipOrThrow() {
        application = Application.withoutVotes(Shop.class, Prices.class);
        Shop shop = application.bean(Shop.class);

        assertThat(shop.unreachable()).isNull();
        assertThatThrownBy(() -> shop.ship("7")).isInstanceOf(QuorumUnreachableException.class);
    }

    @Test
    void future_bodyIsPending_keepsTheLockUntilItCompletes() {
        Shop shop = start().bean(Shop.class);
        CompletableFuture<String> body = new CompletableFuture<>();

        CompletionStage<String> result = shop.later(body);
        boolean heldBefore = running().isHeld("job");
        body.complete("done");

        assertThat(heldBefore).isTrue();
        assertThat(result.toCompletableFuture().join()).isEqualTo("done");
        assertThat(running().isHeld("job")).isFalse();
    }

    @Test
    void future_cancelled_cancelsTheBodyAndReleases() {
        Shop shop = start().bean(Shop.class);
        CompletableFuture<String> body = new CompletableFuture<>();

        shop.later(body).toCompletableFuture().cancel(true);

        assertThat(body).isCancelled();
        assertThat(shop.inside(() -> "ran after the release")).isNotEmpty();
    }

    @Test
    void future_leaseIsLost_fails() {
        Shop shop = start().bean(Shop.class);
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = shop.loseLater(body);

        body.complete("done");

        assertThatThrownBy(result::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void lost_throw_failsTheCallThatReturned() {
        Shop shop = start().bean(Shop.class);

        assertThatThrownBy(() -> shop.inside(this::lose)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void lost_throwAndTheMethodFails_keepsItsException() {
        Shop shop = start().bean(Shop.class);

        assertThatThrownBy(() -> shop.inside(() -> {
                    lose();
                    throw new IllegalStateException("of the method");
                }))
                .hasMessage("of the method");
    }

    @Test
    void lost_log_returnsTheResult() {
        assertThat(start().bean(Shop.class).careless(this::lose)).isEqualTo("lost");
    }

    @Test
    void lost_interrupt_endsTheMethodAndClearsTheFlag() {
        Shop shop = start().bean(Shop.class);

        assertThatThrownBy(() -> shop.interruptible(this::lose))
                .isInstanceOf(LeaseLostException.class)
                .satisfies(lost ->
                        assertThat(lost.getSuppressed()).hasAtLeastOneElementOfType(InterruptedException.class));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void lost_interruptThatTheMethodKeeps_isClearedAfterTheCall() {
        Shop shop = start().bean(Shop.class);

        assertThatThrownBy(() -> shop.untilInterrupted(this::lose)).isInstanceOf(LeaseLostException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    private String lose() {
        CurrentLease.get().limit(Duration.ZERO);
        return "lost";
    }

    @Test
    void call_interruptedWhileItWaits_keepsTheFlagAndDoesNotRun() {
        Shop shop = start().bean(Shop.class);
        try (Lease held = running().holdElsewhere("order:7")) {
            assertThat(held.isValid()).isTrue();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> shop.ship("7")).hasMessageContaining("Shop.ship did not run");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void holdAtLeast_methodIsBrief_keepsTheLockOnTheNode() {
        start().bean(Shop.class).brief();

        assertThat(running().node().timeLeft("job")).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void call_sameLockInside_runsUnderTheOuterLease() {
        Shop shop = start().bean(Shop.class);

        Lease[] leases = shop.inside(() -> new Lease[] {CurrentLease.get(), shop.inside(CurrentLease::get)});

        assertThat(leases[1]).isSameAs(leases[0]);
    }

    @Test
    void call_sharedOutsideAndExclusiveInside_failsAtOnce() {
        Shop shop = start().bean(Shop.class);

        assertThatThrownBy(() -> shop.reading(() -> shop.inside(() -> "never")))
                .hasMessageContaining("in shared mode and requests it exclusively");
        assertThat(shop.inside(() -> shop.reading(() -> "inner"))).isEqualTo("inner");
    }
}
