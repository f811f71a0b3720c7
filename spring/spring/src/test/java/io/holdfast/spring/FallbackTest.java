package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Tests conditions, and the methods that run instead of a refused one. */
class FallbackTest {

    /** The annotated methods of these tests. */
    static class Shop {

        @HoldfastLock(value = "order:#{#id}", fallback = "busy")
        public String ship(String id, Supplier<String> body) {
            return body.get();
        }

        @SuppressWarnings("unused")
        private String busy(String id, Supplier<String> body, HoldfastException refusal) {
            return refusal.getClass().getSimpleName() + " of " + refusal.resource() + " for " + id;
        }

        @HoldfastLock(value = "order:7", fallback = "held")
        public int count() {
            return 1;
        }

        public int held(LockTimeoutException refusal) {
            return -1;
        }

        @HoldfastLock(value = "order:7", waitLimit = "0", holdAtLeast = "50s", fallback = "nothing")
        public String nightly(Supplier<String> body) {
            return body.get();
        }

        public String nothing(Supplier<String> body) {
            return "nothing to do";
        }

        @HoldfastLock(value = "order:#{#ids}", fallback = "free")
        public String several(String... ids) {
            return "ran";
        }

        String free(String... ids) {
            return "fallback";
        }

        @HoldfastLock(value = "order:7", fallback = "notNow")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("ran");
        }

        CompletableFuture<String> notNow() {
            return CompletableFuture.completedFuture("not now");
        }

        @HoldfastLock(value = "order:7", fallback = "noOne")
        public Mono<String> one() {
            return Mono.just("ran");
        }

        Mono<String> noOne(LockTimeoutException refusal) {
            return Mono.just("no one");
        }

        @HoldfastLock(value = "order:7", fallback = "missing")
        public Mono<String> two() {
            return Mono.just("ran");
        }

        Mono<String> missing() {
            throw new NoClassDefFoundError("Order");
        }

        @HoldfastLock(value = "order:7", condition = "#pieces > 10 and ${shop.strict:true}")
        public boolean take(int pieces) {
            return CurrentLease.find().isPresent();
        }

        @HoldfastLock(value = "order:7", condition = "#pieces > 10")
        public Mono<Boolean> takeLater(int pieces) {
            return Mono.fromSupplier(() -> CurrentLease.find().isPresent());
        }

        @HoldfastLock(value = "order:7", condition = "#name")
        public String odd(String name) {
            return name;
        }
    }

    /** A method that is its own fallback. */
    static class Circle {

        @HoldfastLock(value = "x", fallback = "move")
        public boolean move(int steps) {
            return true;
        }
    }

    /** A method whose fallback has a lock of its own. */
    static class Chain {

        @HoldfastLock(value = "x", fallback = "later")
        public boolean move(int steps) {
            return true;
        }

        @HoldfastLock("y")
        public boolean later(int steps) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Circle.class, Chain.class})
    void fallback_hasALockItself_isRejectedWithTheRemedy(Class<?> bean) {
        assertThatThrownBy(() -> Application.of(bean).close())
                .rootCause()
                .hasMessageContaining("would run without the lock of its @HoldfastLock")
                .hasMessageContaining("name a method without that annotation");
    }

    @Test
    void fallback_heldElsewhere_runsWithTheArgumentsAndTheRefusal() {
        try (Application application = Application.of(Shop.class);
                Lease other = application.holdElsewhere("order:7")) {
            Shop shop = application.bean(Shop.class);

            assertThat(other.isValid()).isTrue();
            assertThat(shop.ship("7", () -> "never")).isEqualTo("LockTimeoutException of order:7 for 7");
            assertThat(shop.count()).isEqualTo(-1);
            assertThat(shop.later()).succeedsWithin(Duration.ofMinutes(1)).isEqualTo("not now");
            assertThat(shop.one().block()).isEqualTo("no one");
            assertThatThrownBy(() -> shop.two().block()).isInstanceOf(NoClassDefFoundError.class);
            assertThat(shop.ship("8", () -> "ran")).isEqualTo("ran");
        }
    }

    @Test
    void fallback_tooFewNodes_runsIfItTakesThatRefusal() {
        try (Application application = Application.withoutVotes(Shop.class)) {
            Shop shop = application.bean(Shop.class);

            assertThat(shop.ship("7", () -> "never")).isEqualTo("QuorumUnreachableException of order:7 for 7");
            assertThatThrownBy(shop::count).isInstanceOf(QuorumUnreachableException.class);
            assertThatThrownBy(() -> shop.one().block()).isInstanceOf(QuorumUnreachableException.class);
        }
    }

    @Test
    void fallback_secondOfTwoLocksIsHeld_runsWithoutTheFirst() {
        try (Application application = Application.of(Shop.class);
                Lease other = application.holdElsewhere("order:7")) {
            assertThat(other.isValid()).isTrue();
            assertThat(application.bean(Shop.class).several("3", "7")).isEqualTo("fallback");
            assertThat(application.isHeld("order:3")).isFalse();
        }
    }

    /** The method has its own locks and failures. */
    @Test
    void fallback_methodThrowsARefusal_doesNotRun() {
        try (Application application = Application.of(Shop.class)) {
            Shop shop = application.bean(Shop.class);
            LockTimeoutException own = new LockTimeoutException("other", Duration.ZERO);

            assertThatThrownBy(() -> shop.ship("7", () -> {
                        throw own;
                    }))
                    .isSameAs(own);
        }
    }

    /** A retry would otherwise take the fallback for a success. */
    @Test
    void fallback_afterAFailedCallThatIsKept_doesNotRun() {
        try (Application application = Application.of(Shop.class)) {
            Shop shop = application.bean(Shop.class);
            assertThatThrownBy(() -> shop.nightly(() -> {
                        throw new IllegalArgumentException("of the method");
                    }))
                    .isInstanceOf(IllegalArgumentException.class);

            assertThatThrownBy(() -> shop.nightly(() -> "again"))
                    .hasMessageContaining("did not run again")
                    .hasRootCauseMessage("of the method");
        }
    }

    @Test
    void condition_isFalse_runsWithoutTheLock() {
        try (Application application = Application.of(Shop.class)) {
            Shop shop = application.bean(Shop.class);

            assertThat(shop.take(11)).isTrue();
            assertThat(shop.take(10)).isFalse();
            assertThat(shop.takeLater(10).block()).isFalse();
            try (Lease other = application.holdElsewhere("order:7")) {
                assertThat(other.isValid()).isTrue();
                assertThat(shop.take(1)).isFalse();
                assertThatThrownBy(() -> shop.take(11)).isInstanceOf(LockTimeoutException.class);
            }
        }
        try (Application application = Application.withProperty("shop.strict", "false", Shop.class)) {
            assertThat(application.bean(Shop.class).take(11)).isFalse();
        }
    }

    @Test
    void condition_isNeitherTrueNorFalse_isAnErrorAndDoesNotRun() {
        try (Application application = Application.of(Shop.class)) {
            assertThatThrownBy(() -> application.bean(Shop.class).odd("perhaps"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("The condition of Shop.odd is not defined")
                    .hasMessageEndingWith("let it be true or false");
        }
    }
}
