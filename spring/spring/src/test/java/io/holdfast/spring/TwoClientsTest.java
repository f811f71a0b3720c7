package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests two applications in one JVM, whose locks of the same name are on different nodes. */
class TwoClientsTest {

    private final Application north = Application.of(Shop.class);
    private final Application south = Application.of(Shop.class);

    @AfterEach
    void stop() {
        north.close();
        south.close();
    }

    /** Methods with one lock. */
    static class Shop {

        @HoldfastLock("job")
        public <T> T call(Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock("job")
        public <T> Mono<T> publish(Mono<T> body) {
            return body;
        }
    }

    @Test
    void call_underTheLockOfTheOtherApplication_acquiresItsOwn() {
        Supplier<Boolean> isHeld = () -> south.isHeld("job");
        Shop inner = south.bean(Shop.class);

        assertThat(north.bean(Shop.class).call(() -> inner.call(isHeld))).isTrue();
        assertThat(south.isHeld("job")).isFalse();
    }

    @Test
    void publisher_underTheLockOfTheOtherApplication_acquiresItsOwn() {
        Mono<Boolean> inner = south.bean(Shop.class).publish(Mono.fromSupplier(() -> south.isHeld("job")));

        assertThat(Objects.requireNonNull(north.bean(Shop.class).publish(inner).block()))
                .isTrue();
    }
}
