package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LeaseLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests calls whose lock vanishes from the node after the last renewal, so that only the release shows the loss. */
class VanishedLockTest {

    @AutoClose
    private final Application application = Application.of(Shop.class);

    private final Shop shop = application.bean(Shop.class);

    /** The annotated methods of these tests. */
    static class Shop {

        @HoldfastLock("job")
        public <T> T inside(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", onLost = LossPolicy.INTERRUPT)
        public <T> T interruptible(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", onLost = LossPolicy.LOG)
        public <T> T careless(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock(value = "job", holdAtLeast = "20s")
        public <T> T brief(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock("job")
        public CompletableFuture<String> later(CompletableFuture<String> result) {
            return result;
        }

        @HoldfastLock(value = "job", onLost = LossPolicy.LOG)
        public CompletableFuture<String> carelessLater(CompletableFuture<String> result) {
            return result;
        }

        @HoldfastLock("job")
        public Mono<String> publisher(Mono<String> body) {
            return body;
        }
    }

    private String vanish() {
        assertThat(application.node().evict("job")).isTrue();
        return "done";
    }

    @Test
    void call_lockVanished_throws() {
        assertThatThrownBy(() -> shop.inside(this::vanish))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("was lost before its release");
        assertThatThrownBy(() -> shop.interruptible(this::vanish)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> shop.brief(this::vanish)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void call_lockVanishedAndTheMethodFails_keepsItsException() {
        assertThatThrownBy(() -> shop.inside(() -> {
                    throw new IllegalStateException("of the method after " + vanish());
                }))
                .hasMessage("of the method after done")
                .hasNoSuppressedExceptions();
    }

    @Test
    void call_lockVanishedAndPolicyLog_returnsTheResult() {
        assertThat(shop.careless(this::vanish)).isEqualTo("done");
    }

    @Test
    void call_releasedByTheMethod_returnsTheResult() {
        assertThat(shop.inside(() -> CurrentLease.get().release().name())).isEqualTo("RELEASED");
    }

    @Test
    void innerCall_lockVanished_isReportedByTheOuterOne() {
        assertThatThrownBy(() -> shop.inside(() -> {
                    assertThat(shop.<String>inside(this::vanish)).isEqualTo("done");
                    return "outer";
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void future_lockVanished_fails() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = shop.later(body);

        body.complete(vanish());

        assertThatThrownBy(result::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void futureOfInnerCall_lockVanishedAfterTheOuterOne_fails() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = shop.inside(() -> shop.later(body));

        body.complete(vanish());

        assertThatThrownBy(result::join).hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void future_lockVanishedAndPolicyLog_hasTheResult() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = shop.carelessLater(body);

        body.complete(vanish());

        assertThat(result.join()).isEqualTo("done");
    }

    @Test
    void publisher_lockVanished_fails() {
        Mono<String> result = shop.publisher(Mono.fromSupplier(this::vanish));

        assertThatThrownBy(result::block).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void publisher_lockVanishedAndItFails_keepsItsException() {
        Mono<String> result = shop.publisher(Mono.fromSupplier(() -> {
            throw new IllegalStateException("of the publisher after " + vanish());
        }));

        assertThatThrownBy(result::block).hasMessage("of the publisher after done");
    }

    /** The transaction has been committed, so the loss is logged only. */
    @Test
    void transaction_lockVanishedBeforeItsEnd_returnsTheResult() {
        String result = application.transaction().execute(status -> shop.inside(this::vanish));

        assertThat(result).isEqualTo("done");
        assertThat(application.isHeld("job")).isFalse();
    }
}
