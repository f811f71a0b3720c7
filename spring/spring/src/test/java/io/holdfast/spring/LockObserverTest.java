package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests what the observer of an application learns about the calls of annotated methods. */
class LockObserverTest {

    @AutoClose
    private final Application application = Application.of(Shop.class);

    private final Shop shop = application.bean(Shop.class);

    /** The annotated methods of these tests. */
    static class Shop {

        @HoldfastLock("job")
        public <T> T inside(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock("job")
        public CompletableFuture<String> later(CompletableFuture<String> result) {
            return result;
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP)
        public @Nullable String skipped() {
            return "ran";
        }

        @HoldfastLock(value = "job", onHeld = RefusalPolicy.SKIP)
        public Mono<String> skippedPublisher() {
            return Mono.just("ran");
        }

        @HoldfastLock(value = "job", onUnreachable = RefusalPolicy.SKIP)
        public @Nullable String skippedWithoutVotes() {
            return "ran";
        }
    }

    @Test
    void observe_call_isAWaitAndWorkInItsScope() {
        ObservedCalls observer = application.bean(ObservedCalls.class);

        String inside = shop.inside(() -> Objects.requireNonNull(observer.current()));

        assertThat(inside).isEqualTo("job");
        assertThat(application.observed()).containsExactly("job waits", "job granted", "job ended");
    }

    /** An inner call of the same lock waits for nothing. */
    @Test
    void observe_innerCallUnderTheSameLease_isNoWaitOfItsOwn() {
        assertThat(shop.inside(() -> shop.inside(() -> "inner"))).isEqualTo("inner");

        assertThat(application.observed()).containsExactly("job waits", "job granted", "job ended");
    }

    @Test
    void observe_methodFails_isTheFailureOfTheWork() {
        assertThatThrownBy(() -> shop.inside(() -> {
                    throw new IllegalStateException("of the method");
                }))
                .hasMessage("of the method");

        assertThat(application.observed()).last().isEqualTo("job ended IllegalStateException");
    }

    @Test
    void observe_refusal_isTheFailureOfTheWait() {
        try (Lease held = application.holdElsewhere("job")) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> shop.inside(() -> "never")).isInstanceOf(LockTimeoutException.class);
        }

        assertThat(application.observed()).containsExactly("job waits", "job failed LockTimeoutException");
    }

    /** A job that another machine runs is no error. */
    @Test
    void observe_skippedCallOfAHeldLock_isNoFailure() {
        try (Lease held = application.holdElsewhere("job")) {
            assertThat(held.isValid()).isTrue();
            assertThat(shop.skipped()).isNull();
            assertThat(shop.skippedPublisher().blockOptional()).isEmpty();
        }

        assertThat(application.observed()).containsExactly("job waits", "job skipped", "job waits", "job skipped");
    }

    /** A call without a quorum is skipped with a warning. */
    @Test
    void observe_skippedCallWithoutVotes_isAFailure() {
        try (Application unreachable = Application.withoutVotes(Shop.class)) {
            assertThat(unreachable.bean(Shop.class).skippedWithoutVotes()).isNull();

            assertThat(unreachable.observed()).containsExactly("job waits", "job failed QuorumUnreachableException");
        }
    }

    @Test
    void observe_future_endsWhenItCompletes() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = shop.later(body);
        int pending = application.observed().size();

        body.completeExceptionally(new IllegalStateException("of the future"));

        assertThat(pending).isEqualTo(2);
        assertThatThrownBy(result::join).hasMessageContaining("of the future");
        assertThat(application.observed()).last().isEqualTo("job ended IllegalStateException");
    }
}
