package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests methods with several locks, which are the values of a collection. */
class SeveralLocksTest {

    @AutoClose
    private final Application application = Application.of(Bank.class);

    private final Bank bank = application.bean(Bank.class);

    /** The annotated methods of these tests. */
    static class Bank {

        @HoldfastLock("account:#{{#from, #to}}")
        public <T> T move(int from, int to, Supplier<T> body) {
            return body.get();
        }

        @HoldfastLock(value = "account:#{#ids}", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public @Nullable String nightly(List<Integer> ids, Supplier<String> body) {
            return body.get();
        }

        @HoldfastLock(value = "account:#{#ids}", onLost = LossPolicy.LOG)
        public String careless(List<Integer> ids) {
            return "ran " + ids;
        }

        @HoldfastLock("account:#{#ids}")
        public CompletableFuture<String> later(List<Integer> ids, CompletableFuture<String> result) {
            return result;
        }

        @HoldfastLock("account:#{#ids}")
        public Mono<String> one(List<Integer> ids, Mono<String> body) {
            return body;
        }

        @HoldfastLock(value = "account:#{#ids}", onHeld = RefusalPolicy.SKIP, holdAtLeast = "50s")
        public Mono<String> oneNightly(List<Integer> ids) {
            return Mono.just("ran");
        }
    }

    private List<Boolean> held() {
        return List.of(application.isHeld("account:3"), application.isHeld("account:7"));
    }

    @Test
    void call_severalLocks_runsUnderAllAndReleasesThem() {
        assertThat(bank.move(7, 3, this::held)).containsExactly(true, true);
        assertThat(held()).containsExactly(false, false);
    }

    @Test
    void currentLease_severalLocks_isThatOfTheNameOrTheLast() {
        List<Lease> leases = bank.move(
                7, 3, () -> List.of(CurrentLease.get(), CurrentLease.of("account:3"), CurrentLease.of("account:7")));

        assertThat(leases).extracting(Lease::resource).containsExactly("account:7", "account:3", "account:7");
        assertThatThrownBy(() -> bank.move(7, 3, () -> CurrentLease.of("account:8")))
                .hasMessageStartingWith("The lock 'account:8' is not held here; call this");
    }

    @Test
    void call_sameNameTwice_runs() {
        assertThat(bank.move(3, 3, () -> "ran")).isEqualTo("ran");
    }

    @Test
    void call_secondIsHeldElsewhere_releasesTheFirst() {
        try (Lease other = application.holdElsewhere("account:7")) {
            assertThat(other.isValid()).isTrue();
            assertThatThrownBy(() -> bank.move(7, 3, () -> "never")).isInstanceOf(LockTimeoutException.class);
            assertThat(held()).containsExactly(false, true);
        }
    }

    /** The nodes would otherwise keep locks of a method that has not run. */
    @Test
    void skip_secondIsHeldElsewhere_leavesNoRestOfTheFirst() {
        try (Lease other = application.holdElsewhere("account:7")) {
            assertThat(other.isValid()).isTrue();
            assertThat(bank.nightly(List.of(7, 3), () -> "never")).isNull();
            assertThat(application.isHeld("account:3")).isFalse();
            assertThat(bank.oneNightly(List.of(7, 3)).block()).isNull();
            assertThat(application.isHeld("account:3")).isFalse();
        }
        assertThat(bank.nightly(List.of(7, 3), () -> "ran")).isEqualTo("ran");
        assertThat(held()).containsExactly(true, true);
    }

    @Test
    void call_holdsOneOfThemAlready_runsUnderBoth() {
        List<Boolean> inside = bank.move(7, 8, () -> bank.move(3, 7, this::held));

        assertThat(inside).containsExactly(true, true);
        assertThat(held()).containsExactly(false, false);
    }

    @Test
    void call_firstIsLostDuringTheMethod_fails() {
        assertThatThrownBy(() -> bank.move(7, 3, () -> {
                    CurrentLease.of("account:3").limit(Duration.ZERO);
                    return "lost";
                }))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("account:3");
    }

    @Test
    void call_afterAFailedOne_isRefusedWithTheReason() {
        assertThatThrownBy(() -> bank.nightly(List.of(7, 3), () -> {
                    throw new IllegalArgumentException("of the method");
                }))
                .isInstanceOf(IllegalArgumentException.class);

        assertThatThrownBy(() -> bank.nightly(List.of(7, 3), () -> "again"))
                .hasMessageContaining("did not run again")
                .hasRootCauseMessage("of the method");
    }

    @Test
    void future_bodyIsPending_keepsAllLocksUntilItCompletes() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> result = bank.later(List.of(7, 3), body);

        assertThat(held()).containsExactly(true, true);
        body.complete("done");

        assertThat(result).succeedsWithin(Duration.ofMinutes(1)).isEqualTo("done");
        assertThat(held()).containsExactly(false, false);
    }

    @Test
    void future_secondIsHeldElsewhere_isAFailedFuture() {
        try (Lease other = application.holdElsewhere("account:7")) {
            assertThat(other.isValid()).isTrue();
            assertThat(bank.later(List.of(7, 3), new CompletableFuture<>()))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableThat()
                    .withCauseInstanceOf(LockTimeoutException.class);
            assertThat(application.isHeld("account:3")).isFalse();
        }
    }

    @Test
    void publisher_severalLocks_runsUnderAllAndReleasesThem() {
        AtomicInteger seen = new AtomicInteger();
        Mono<String> inside = Mono.fromSupplier(() -> {
            seen.set(held().equals(List.of(true, true)) ? 1 : 2);
            return "ran";
        });

        assertThat(bank.one(List.of(7, 3), inside).block()).isEqualTo("ran");
        assertThat(seen).hasValue(1);
        assertThat(held()).containsExactly(false, false);
    }

    @Test
    void publisher_secondIsHeldElsewhere_failsAndReleasesTheFirst() {
        try (Lease other = application.holdElsewhere("account:7")) {
            assertThat(other.isValid()).isTrue();
            assertThatThrownBy(() -> bank.one(List.of(7, 3), Mono.just("never")).block())
                    .isInstanceOf(LockTimeoutException.class);
            assertThat(application.isHeld("account:3")).isFalse();
        }
    }

    /** Each thread gives the accounts in its own order. */
    @Test
    void calls_oppositeOrders_doNotWaitForEachOther() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(2);
        AtomicInteger moves = new AtomicInteger();
        List.of(3, 7)
                .forEach(from -> new Thread(() -> {
                            for (int i = 0; i < 20; i++) {
                                try {
                                    bank.move(from, 10 - from, moves::incrementAndGet);
                                } catch (LockTimeoutException busy) {
                                    Objects.requireNonNull(busy.getMessage());
                                }
                            }
                            ended.countDown();
                        })
                        .start());

        ended.await();

        assertThat(moves.get()).isGreaterThan(20);
    }

    @Test
    void call_emptyCollection_isAnErrorAndDoesNotRun() {
        assertThatThrownBy(() -> bank.careless(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Bank.careless has no name: #{#ids} is empty");
    }
}
