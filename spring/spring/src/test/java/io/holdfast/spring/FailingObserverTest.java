package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Primary;
import reactor.core.publisher.Mono;

/** Tests annotated methods whose observer throws. */
class FailingObserverTest {

    @AutoClose
    private final Application application = Application.of(Shop.class, FailingObserver.class);

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

        @HoldfastLock("job")
        public Mono<String> reactive(Mono<String> body) {
            return body;
        }
    }

    /** The calls of an observer. */
    enum Moment {
        WAITING,
        FAILED,
        GRANTED,
        BEFORE_THE_BODY,
        AFTER_THE_BODY,
        CONTEXT,
        ENDED
    }

    /** An observer that throws at one moment. */
    @Primary
    static class FailingObserver implements LockObserver {

        private Moment chosen = Moment.WAITING;

        void failAt(Moment moment) {
            chosen = moment;
        }

        private void reach(Moment moment) {
            if (moment == chosen) {
                throw new IllegalStateException("of the observer");
            }
        }

        @Override
        public Wait waiting(DistributedLock lock, @Nullable Object parent) {
            reach(Moment.WAITING);
            return new Wait() {
                @Override
                public void failed(Throwable failure) {
                    reach(Moment.FAILED);
                }

                @Override
                public Work granted(Lease lease) {
                    reach(Moment.GRANTED);
                    return new FailingWork(FailingObserver.this);
                }
            };
        }
    }

    private record FailingWork(FailingObserver observer) implements LockObserver.Work {

        @Override
        public <T, E extends Throwable> @Nullable T run(CurrentLease.Body<T, E> body) throws E {
            observer.reach(Moment.BEFORE_THE_BODY);
            try {
                return body.run();
            } finally {
                observer.reach(Moment.AFTER_THE_BODY);
            }
        }

        @Override
        public @Nullable Object context() {
            observer.reach(Moment.CONTEXT);
            return null;
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            observer.reach(Moment.ENDED);
        }
    }

    private void failAt(Moment moment) {
        application.bean(FailingObserver.class).failAt(moment);
    }

    @ParameterizedTest
    @EnumSource
    void call_observerThrows_returnsTheResultAndReleases(Moment moment) {
        failAt(moment);

        assertThat(shop.inside(() -> "done")).isEqualTo("done");
        assertThat(application.isHeld("job")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void call_methodAndObserverThrow_keepsTheExceptionOfTheMethod(Moment moment) {
        failAt(moment);

        assertThatThrownBy(() -> shop.inside(() -> {
                    throw new IllegalArgumentException("of the method");
                }))
                .hasMessage("of the method");
        assertThat(application.isHeld("job")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void call_refusedAndObserverThrows_isTheRefusal(Moment moment) {
        failAt(moment);

        try (Lease held = application.holdElsewhere("job")) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> shop.inside(() -> "never")).isInstanceOf(LockTimeoutException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void future_observerThrows_completesAndReleases(Moment moment) {
        failAt(moment);
        requireReleasing((body, result) -> body.complete("done"));
        requireReleasing((body, result) -> body.completeExceptionally(new IllegalStateException("of the future")));
        requireReleasing((body, result) -> result.cancel(true));
    }

    private void requireReleasing(BiConsumer<CompletableFuture<String>, CompletableFuture<String>> end) {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = shop.later(body);

        end.accept(body, result);

        result.handle((value, failure) -> "completed").join();
        application.holdElsewhere("job").close();
    }

    @ParameterizedTest
    @EnumSource
    void subscribe_observerThrows_passesTheItemAndReleases(Moment moment) {
        failAt(moment);

        assertThat(shop.reactive(Mono.just("done")).block()).isEqualTo("done");
        assertThatThrownBy(() -> shop.reactive(Mono.error(new IllegalArgumentException("of the method")))
                        .block())
                .hasMessage("of the method");
        application.holdElsewhere("job").close();
    }

    /** Stages of other libraries need not support each method. */
    @Test
    void future_cannotBeFollowed_failsAndReleases() {
        CompletableFuture<String> stage = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(
                    BiConsumer<? super @Nullable String, ? super @Nullable Throwable> action) {
                throw new UnsupportedOperationException("of the stage");
            }
        };

        assertThatThrownBy(() -> shop.later(stage)).hasMessage("of the stage");
        assertThat(application.isHeld("job")).isFalse();
    }
}
