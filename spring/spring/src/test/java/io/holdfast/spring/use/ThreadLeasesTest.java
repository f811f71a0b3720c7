package io.holdfast.spring.use;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.Application;
import io.holdfast.spring.HoldfastLock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests that threads of a pool keep nothing of the calls that they have run. */
class ThreadLeasesTest {

    /** A method with a lock. */
    static class Shop {

        @HoldfastLock("job")
        public <T> T call(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock("job")
        public Mono<Boolean> publisher(Supplier<Mono<Boolean>> body) {
            return body.get();
        }
    }

    @Test
    void isKnown_afterTheLastCall_isFalse() {
        try (Application application = Application.of(Shop.class)) {
            Shop shop = application.bean(Shop.class);

            assertThat(shop.call(() -> shop.call(ThreadLeases::isKnown))).isTrue();
            assertThat(ThreadLeases.isKnown()).isFalse();
        }
    }

    /** The publisher may run on for long, while the thread runs other calls. */
    @Test
    void isKnown_methodHasReturnedItsPublisher_isFalse() {
        AtomicBoolean inTheMethod = new AtomicBoolean();
        try (Application application = Application.of(Shop.class)) {
            Boolean inThePublisher = application
                    .bean(Shop.class)
                    .publisher(() -> {
                        inTheMethod.set(ThreadLeases.isKnown());
                        return Mono.fromSupplier(ThreadLeases::isKnown);
                    })
                    .block();

            assertThat(inTheMethod).isTrue();
            assertThat(inThePublisher).isFalse();
        }
    }
}
