package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests annotated methods that return publishers, on a node in memory. */
class ReactiveLockTest {

    private @Nullable Application application;

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    private Shop start() {
        application = Application.of(Shop.class);
        return application.bean(Shop.class);
    }

    private Application running() {
        return Objects.requireNonNull(application);
    }

    private boolean isHeld() {
        return running().isHeld("job");
    }

    /** The annotated methods of these tests. */
    static class Shop {

        private int calls;

        /** A field of the proxy would not change. */
        public int calls() {
            return calls;
        }

        @HoldfastLock("order:#{#id}")
        public Mono<String> ship(String id) {
            calls++;
            return Mono.just(CurrentLease.get().resource());
        }

        @HoldfastLock("job")
        public <T> Mono<T> one(Supplier<Mono<T>> body) {
            return body.get();
        }

        @HoldfastLock("job")
        public <T> Flux<T> many(Supplier<Flux<T>> body) {
            return body.get();
        }

        @HoldfastLock("job")
        public Publisher<String> any() {
            return Flux.just("a", "b");
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP, onUnreachable = RefusalPolicy.SKIP)
        public <T> Mono<T> skipped(Supplier<Mono<T>> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", onUnreachable = RefusalPolicy.SKIP)
        public <T> Mono<T> skippedWithoutVotes(Supplier<Mono<T>> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", holdAtLeast = "20s")
        public Mono<String> brief(Mono<String> body) {
            return body;
        }

        @HoldfastLock(value = "job", shared = true)
        public <T> Mono<T> reading(Supplier<Mono<T>> body) {
            return body.get();
        }
    }

    @Test
    void call_notSubscribed_neitherRunsNorAcquires() {
        Shop shop = start();

        Mono<String> shipped = shop.ship("7");

        assertThat(shop.calls()).isZero();
        assertThat(running().observed()).isEmpty();
        assertThat(shipped.block()).isEqualTo("order:7");
        assertThat(shop.calls()).isEqualTo(1);
        assertThat(running().isHeld("order:7")).isFalse();
    }

    @Test
    void subscribe_twice_runsTwiceUnderTwoLeases() {
        Shop shop = start();
        Mono<Long> fence =
                shop.one(() -> Mono.just(CurrentLease.get().fencingToken().value()));

        Long first = fence.block();

        assertThat(fence.block()).isGreaterThan(first);
    }

    @Test
    void subscribe_flux_holdsTheLockUntilItCompletes() {
        List<Boolean> held = start().many(() -> Flux.range(0, 3).map(item -> isHeld()))
                .collectList()
                .block();

        assertThat(held).containsExactly(true, true, true);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void subscribe_publisher_passesAllItems() {
        assertThat(Flux.from(start().any()).collectList().block()).containsExactly("a", "b");
    }

    @Test
    void subscribe_methodFails_releasesAndKeepsTheFailure() {
        Shop shop = start();

        assertThatThrownBy(() ->
                        shop.one(() -> Mono.error(new IOException("no disk"))).block())
                .hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> shop.one(() -> {
                            throw new IllegalStateException("of the method");
                        })
                        .block())
                .hasMessage("of the method");
        assertThat(isHeld()).isFalse();
    }

    /** Reactor throws such errors instead of signalling them. */
    @Test
    void subscribe_classIsMissing_releasesAndFails() {
        Shop shop = start();

        assertThatThrownBy(() -> shop.one(() -> {
                            throw new NoClassDefFoundError("Order");
                        })
                        .block())
                .isInstanceOf(NoClassDefFoundError.class);
        assertThat(isHeld()).isFalse();
    }

    /** The errors of a suspending function arrive in this way. */
    @Test
    void subscribe_classIsMissingOnAnotherThread_releasesAndFails() {
        Shop shop = start();

        assertThatThrownBy(() -> shop.one(() -> Mono.create(
                                sink -> new Thread(() -> sink.error(new NoClassDefFoundError("Order"))).start()))
                        .block())
                .isInstanceOf(NoClassDefFoundError.class);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void subscribe_heldElsewhere_failsOrIsSkipped() {
        Shop shop = start();
        try (Lease held = running().holdElsewhere("job")) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> shop.one(() -> Mono.just("ran")).block()).isInstanceOf(LockTimeoutException.class);
            assertThat(shop.skipped(() -> Mono.just("ran")).blockOptional()).isEmpty();
        }
        assertThat(shop.skipped(() -> Mono.just("ran")).block()).isEqualTo("ran");
    }

    /** A failure of the work is no refusal of its lock, whatever its type. */
    @Test
    void subscribe_workFailsWithARefusal_isNotSkipped() {
        Shop shop = start();
        try (Lease held = running().holdElsewhere("order:7")) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> shop.skipped(() -> shop.ship("7")).block())
                    .isInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void subscribe_tooFewNodes_failsOrIsSkipped() {
        application = Application.withoutVotes(Shop.class);
        Shop shop = application.bean(Shop.class);

        assertThatThrownBy(() -> shop.one(() -> Mono.just("ran")).block())
                .isInstanceOf(QuorumUnreachableException.class);
        assertThat(shop.skippedWithoutVotes(() -> Mono.just("ran")).blockOptional())
                .isEmpty();
    }

    @Test
    void subscribe_leaseIsLost_cancelsAndFails() {
        Shop shop = start();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();

        assertThatThrownBy(() -> shop.one(() -> {
                            CurrentLease.get().limit(Duration.ZERO);
                            return Mono.never().doOnCancel(() -> cancelled.complete(true));
                        })
                        .block())
                .isInstanceOf(LeaseLostException.class);
        cancelled.join();
    }

    @Test
    void cancel_whileItRuns_cancelsTheMethodAndReleases() {
        Shop shop = start();
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        Disposable subscription = shop.one(() -> Mono.never()
                        .doOnSubscribe(subscribed -> begun.complete(true))
                        .doOnCancel(() -> cancelled.complete(true)))
                .subscribe();
        begun.join();

        subscription.dispose();

        cancelled.join();
        // Waits until the release has arrived.
        assertThat(shop.one(() -> Mono.just("next")).retry().block()).isEqualTo("next");
    }

    @Test
    void cancel_whileItWaits_isAFailedWait() {
        Shop shop = start();
        try (Lease held = running().holdElsewhere("job")) {
            assertThat(held.isValid()).isTrue();
            shop.one(() -> Mono.just("never")).subscribe().dispose();
        }
        assertThat(running().observed()).containsExactly("job waits", "job failed CancellationException");
    }

    @Test
    void cancel_thousandRandomMoments_leavesNothingHeld() {
        Shop shop = start();
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            Duration work = Duration.ofNanos(random.nextInt(200_000));
            Disposable subscription = shop.one(() -> Mono.delay(work)).subscribe(item -> {}, failure -> {});
            long until = System.nanoTime() + random.nextInt(300_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            subscription.dispose();
        }

        running().holdElsewhere("job").close();

        assertThat(running().observed()).contains("job granted").anyMatch(entry -> entry.startsWith("job failed"));
    }

    @Test
    void holdAtLeast_eachEnd_keepsTheLockOnTheNode() {
        for (Mono<String> end : List.of(Mono.just("done"), Mono.<String>error(new IOException("no disk")))) {
            start().brief(end).onErrorComplete().block();

            assertThat(running().node().timeLeft("job")).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
            running().close();
        }
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        Disposable running = start().brief(Mono.<String>never().doOnSubscribe(subscribed -> begun.complete(true)))
                .subscribe();
        begun.join();
        running.dispose();

        assertThat(running().node().timeLeft("job")).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void subscribe_sameLockInTheChain_runsUnderTheOuterLease() {
        Shop shop = start();

        List<Lease> leases = shop.one(() -> Mono.just(CurrentLease.get())
                        .zipWith(shop.one(() -> Mono.deferContextual(inner -> Mono.just(inner.get(Lease.class))))))
                .map(pair -> List.of(pair.getT1(), pair.getT2()))
                .block();

        assertThat(leases).hasSize(2);
        assertThat(Set.copyOf(Objects.requireNonNull(leases))).hasSize(1);
    }

    @Test
    void subscribe_sharedOutsideAndExclusiveInside_failsAtOnce() {
        Shop shop = start();

        assertThatThrownBy(() ->
                        shop.reading(() -> shop.one(() -> Mono.just("never"))).block())
                .hasMessageContaining("in shared mode and requests it exclusively");
    }

    @Test
    void observe_subscription_isPassedOnToItsChain() {
        Shop shop = start();

        String inside = shop.one(() -> Mono.deferContextual(
                        context -> shop.ship("7").thenReturn(context.<String>get("micrometer.observation"))))
                .contextWrite(outer -> outer.put("micrometer.observation", "request"))
                .block();

        assertThat(inside).isEqualTo("job under request");
        assertThat(running().observed())
                .containsExactly(
                        "job under request waits",
                        "job under request granted",
                        "order:7 under job under request waits",
                        "order:7 under job under request granted",
                        "order:7 under job under request ended",
                        "job under request ended");
    }

    /** The lock would be released before the commit, and the next holder would read data that are not yet committed. */
    @Test
    void subscribe_transactionOfTheSubscriber_isRejected() {
        Shop shop = start();
        TransactionalOperator transaction = TransactionalOperator.create(new Transactions());

        assertThatThrownBy(() -> shop.ship("7").as(transaction::transactional).block())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Shop.ship did not run")
                .hasMessageContaining("begins the transaction");
        assertThat(shop.calls()).isZero();
        assertThat(shop.one(() -> Mono.just("done").as(transaction::transactional))
                        .block())
                .isEqualTo("done");
    }

    /** Reactive transactions without a database. */
    private static final class Transactions extends AbstractReactiveTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager synchronization) {
            return new Object();
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager synchronization,
                Object transaction,
                TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doCommit(
                TransactionSynchronizationManager synchronization, GenericReactiveTransaction status) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doRollback(
                TransactionSynchronizationManager synchronization, GenericReactiveTransaction status) {
            return Mono.empty();
        }
    }
}
