package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests a locked method whose result the class of the bean decides. */
class InheritedLockTest {

    private final Application application = Application.of(Later.class, Reactive.class);

    @AfterEach
    void stop() {
        application.close();
    }

    /** The locked method. */
    abstract static class Base<T> {

        @HoldfastLock("job")
        public T run(T result) {
            return result;
        }
    }

    static class Later extends Base<CompletableFuture<String>> {}

    static class Reactive extends Base<Mono<Boolean>> {}

    @Test
    void run_future_keepsTheLockUntilItCompletes() {
        CompletableFuture<String> body = new CompletableFuture<>();

        CompletableFuture<String> result = application.bean(Later.class).run(body);
        boolean heldBefore = application.isHeld("job");
        body.complete("done");

        assertThat(result.join()).isEqualTo("done");
        assertThat(heldBefore).isTrue();
        assertThat(application.isHeld("job")).isFalse();
    }

    @Test
    void run_publisher_runsUnderTheLock() {
        Mono<Boolean> isHeld = Mono.fromSupplier(() -> application.isHeld("job"));

        assertThat(application.bean(Reactive.class).run(isHeld).block()).isTrue();
    }
}
