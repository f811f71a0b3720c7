package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests how long a lock is held if a re-entrant call returns a future. */
class ReentrantFutureTest {

    @AutoClose
    private final Application application = Application.of(Outer.class, Inner.class);

    private final Outer outer = application.bean(Outer.class);
    private final Inner inner = application.bean(Inner.class);
    private final CompletableFuture<String> body = new CompletableFuture<>();

    /** The methods that acquire the lock. */
    static class Outer {

        @HoldfastLock("job")
        public <T> T call(Supplier<T> work) {
            return work.get();
        }

        @HoldfastLock("job")
        public CompletableFuture<String> later(Supplier<CompletableFuture<String>> work) {
            return work.get();
        }

        @HoldfastLock(value = "job", holdAtLeast = "20s")
        public CompletableFuture<String> brief(Supplier<CompletableFuture<String>> work) {
            return work.get();
        }
    }

    /** The methods that are called under the lock. */
    static class Inner {

        @HoldfastLock("job")
        public CompletableFuture<String> follow(CompletableFuture<String> stage) {
            return stage;
        }

        @HoldfastLock("job")
        public CompletableFuture<String> fail() {
            throw new IllegalStateException("of the inner method");
        }
    }

    private boolean isHeld() {
        return application.isHeld("job");
    }

    /** Waits as another process until the lock is free. */
    private void requireReleased() {
        application.holdElsewhere("job").close();
    }

    @Test
    void end_innerFutureIsPending_keepsTheLockUntilItCompletes() {
        CompletableFuture<String> pending = outer.call(() -> inner.follow(body));
        boolean heldAfterTheCall = isHeld();

        body.complete("done");

        assertThat(heldAfterTheCall).isTrue();
        assertThat(pending.join()).isEqualTo("done");
        assertThat(isHeld()).isFalse();
    }

    @Test
    void end_innerFutureFailed_releasesAndKeepsTheFailure() {
        CompletableFuture<String> pending = outer.call(() -> inner.follow(body));

        body.completeExceptionally(new IllegalStateException("of the inner future"));

        assertThatThrownBy(pending::join).hasMessageContaining("of the inner future");
        requireReleased();
    }

    @Test
    void end_twoInnerFutures_keepTheLockUntilBothComplete() {
        CompletableFuture<String> second = new CompletableFuture<>();
        outer.call(() -> {
            inner.follow(body);
            return inner.follow(second);
        });

        second.complete("done");
        boolean heldAfterTheFirst = isHeld();
        body.complete("done");

        assertThat(heldAfterTheFirst).isTrue();
        requireReleased();
    }

    @Test
    void end_innerFutureHasCompletedBefore_releasesAtTheReturn() {
        assertThat(outer.call(() -> inner.follow(CompletableFuture.completedFuture("done"))))
                .isCompletedWithValue("done");
        assertThat(isHeld()).isFalse();
    }

    @Test
    void end_innerMethodThrows_releasesAtTheReturn() {
        assertThatThrownBy(() -> outer.call(inner::fail)).hasMessage("of the inner method");
        assertThat(isHeld()).isFalse();
    }

    @Test
    void cancel_innerFuture_releases() {
        outer.call(() -> inner.follow(body)).cancel(true);

        assertThat(body).isCancelled();
        requireReleased();
    }

    /** The outer future is complete when the lock is free, as if there were no inner call. */
    @Test
    void future_isThatOfTheInnerCall_completesAfterTheRelease() {
        CompletableFuture<String> result = outer.later(() -> inner.follow(body));

        body.complete("done");

        assertThat(result.join()).isEqualTo("done");
        assertThat(isHeld()).isFalse();
    }

    @Test
    void future_innerFutureIsPending_completesWithoutItAndKeepsTheLock() {
        CompletableFuture<String> result = outer.later(() -> {
            inner.follow(body);
            return CompletableFuture.completedFuture("done");
        });

        assertThat(result).isCompletedWithValue("done");
        assertThat(isHeld()).isTrue();
        body.complete("done");
        requireReleased();
    }

    @Test
    void holdAtLeast_innerFutureCompletesLast_keepsTheLockOnTheNode() {
        CompletableFuture<CompletableFuture<String>> pending = new CompletableFuture<>();
        outer.brief(() -> {
            pending.complete(inner.follow(body));
            return CompletableFuture.completedFuture("done");
        });

        body.complete("done");

        assertThat(pending.join().join()).isEqualTo("done");
        assertThat(application.node().timeLeft("job")).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    /** The outer method has returned, so only the inner future can report the loss. */
    @Test
    void lost_afterTheOuterMethod_failsTheInnerFuture() {
        CompletableFuture<Lease> lease = new CompletableFuture<>();
        CompletableFuture<String> pending = outer.call(() -> {
            lease.complete(CurrentLease.get());
            return inner.follow(body);
        });

        lease.join().limit(Duration.ZERO);
        body.complete("done");

        assertThatThrownBy(pending::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    /** The lease of the ended call belongs to the inner future alone. */
    @Test
    void call_innerFutureIsPending_waitsForItAsAnyOther() {
        outer.call(() -> inner.follow(body));

        assertThatThrownBy(() -> outer.call(() -> "never")).isInstanceOf(LockTimeoutException.class);
        body.complete("done");
        requireReleased();
    }

    @Test
    void transaction_secondFutureIsPendingAtCommit_keepsTheLock() {
        application.transaction().executeWithoutResult(status -> {
            outer.call(() -> "done");
            inner.follow(body);
        });
        boolean heldAfterCommit = isHeld();

        body.complete("done");

        assertThat(heldAfterCommit).isTrue();
        requireReleased();
    }
}
