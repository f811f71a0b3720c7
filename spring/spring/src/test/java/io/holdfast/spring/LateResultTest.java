package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spring.proxy.MethodRejectedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests methods whose declared result does not say that it ends later. */
class LateResultTest {

    @AutoClose
    private final Application application = Application.of(Shop.class);

    private final Shop shop = application.bean(Shop.class);

    /** The annotated methods of these tests. */
    static class Shop {

        @HoldfastLock("any")
        public Object any(Object result) {
            return result;
        }

        @HoldfastLock("optional")
        public Optional<?> optional(Object result) {
            return Optional.of(result);
        }
    }

    @Test
    void call_resultEndsLater_isRejected() {
        for (Object later : new Object[] {Mono.never(), Stream.of("a")}) {
            assertThatThrownBy(() -> shop.any(later))
                    .isInstanceOf(MethodRejectedException.class)
                    .hasMessageContaining("declare CompletableFuture, Mono or Flux");
            assertThatThrownBy(() -> shop.optional(later)).isInstanceOf(MethodRejectedException.class);
        }
        assertThatThrownBy(() -> shop.optional(new CompletableFuture<>())).isInstanceOf(MethodRejectedException.class);
        assertThat(shop.any("now")).isEqualTo("now");
    }

    @Test
    void call_resultIsAFuture_keepsTheLockUntilItCompletes() {
        CompletableFuture<String> work = new CompletableFuture<>();

        Object result = shop.any(work);

        assertThat(application.isHeld("any")).isTrue();
        work.complete("done");
        assertThat(((CompletableFuture<?>) result).join()).isEqualTo("done");
        assertThat(application.isHeld("any")).isFalse();
    }
}
