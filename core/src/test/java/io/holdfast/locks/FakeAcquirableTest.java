package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Acquirable;
import io.holdfast.Held;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.event.Registration;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A user's own implementation of {@link Acquirable}, with its abstract methods only. */
class FakeAcquirableTest {

    private final List<String> calls = new ArrayList<>();
    private boolean taken;
    private boolean loses;
    private @Nullable CompletableFuture<FakeHeld> late;

    private final Acquirable<FakeHeld> fake = new Acquirable<>() {

        @Override
        public LockOptions options() {
            return LockOptions.DEFAULT;
        }

        @Override
        public FakeHeld acquire(LockOptions with) {
            calls.add("acquire " + with.waitLimit());
            if (taken) {
                throw new LockTimeoutException("fake", with.waitLimit());
            }
            return new FakeHeld();
        }

        @Override
        public CompletableFuture<FakeHeld> acquireAsync(LockOptions with) {
            CompletableFuture<FakeHeld> pending = late;
            // A stage wraps the failure.
            return pending != null
                    ? pending
                    : CompletableFuture.completedFuture(with).thenApply(this::acquire);
        }
    };

    private final class FakeHeld implements Held {

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public Duration remaining() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void ensureValidFor(Duration duration) {}

        @Override
        public Registration onLost(Consumer<Loss> callback) {
            return () -> {};
        }

        @Override
        public void finish() {
            calls.add("finish");
            if (loses) {
                throw LeaseLostException.atRelease("fake");
            }
        }

        @Override
        public CompletableFuture<Void> finishAsync() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<?> releaseAsync() {
            calls.add("releaseAsync");
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    @Test
    void acquire_free_passesTheLimitsOn() throws InterruptedException {
        assertThat(fake.acquire()).isNotNull();
        assertThat(fake.acquire(Duration.ofSeconds(1))).isNotNull();
        assertThat(fake.tryAcquire()).isPresent();
        assertThat(fake.acquireAsync()).isCompleted();
        assertThat(fake.acquireAsync(Duration.ofSeconds(2))).isCompleted();
        assertThat(fake.tryAcquireAsync().join()).isPresent();
        assertThat(fake.tryAcquireAsync(Duration.ofSeconds(3)).join()).isPresent();

        assertThat(calls)
                .containsExactly(
                        "acquire PT30S",
                        "acquire PT1S",
                        "acquire PT0S",
                        "acquire PT30S",
                        "acquire PT2S",
                        "acquire PT0S",
                        "acquire PT3S");
    }

    @Test
    void tryRun_free_runsAndReleases() throws InterruptedException {
        boolean ran = fake.tryRun(held -> calls.add("body"));

        assertThat(ran).isTrue();
        assertThat(calls).containsExactly("acquire PT0S", "body", "finish", "close");
    }

    @Test
    void tryMethods_held_areEmpty() throws InterruptedException {
        taken = true;

        assertThat(fake.tryRun(held -> calls.add("body"))).isFalse();
        assertThat(fake.tryCall(held -> 1)).isEmpty();
        assertThat(fake.tryAcquire(Duration.ofSeconds(1))).isEmpty();
        assertThat(fake.tryAcquireAsync().join()).isEmpty();
        assertThatThrownBy(() -> fake.run(held -> calls.add("body")))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessage("'fake' is held by another; waited 30000 ms");

        assertThat(calls).doesNotContain("body", "close");
    }

    @Test
    void run_lost_throwsAndCloses() {
        loses = true;

        assertThatThrownBy(() -> fake.run(held -> {})).isInstanceOf(LeaseLostException.class);

        assertThat(calls).endsWith("finish", "close");
    }

    /** The future of another implementation may be granted at the moment at which its caller ends it. */
    @Test
    void tryAcquireAsync_endedByTheCallerWhileItIsGranted_releases() {
        CompletableFuture<FakeHeld> granted = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return false;
            }
        };
        late = granted;
        CompletableFuture<?> wanted = fake.tryAcquireAsync();

        wanted.cancel(true);
        granted.complete(new FakeHeld());

        assertThat(calls).containsExactly("releaseAsync");
    }
}
