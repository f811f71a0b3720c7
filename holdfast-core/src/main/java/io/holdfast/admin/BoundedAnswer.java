package io.holdfast.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * An answer of a node for which a caller waits for a bounded time, also if the client is closed meanwhile.
 *
 * @param answer completes with the answer, or when a timer of the client fires
 * @param otherwise the value if there is no answer in time
 * @param left returns the time that is left for the answer; zero or less if its limit is over
 */
record BoundedAnswer<T>(CompletableFuture<T> answer, T otherwise, Supplier<Duration> left) {

    /** The time by which a timer of the client may be late. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /** Returns an answer that is already there. */
    static <T> BoundedAnswer<T> known(T value) {
        return new BoundedAnswer<>(CompletableFuture.completedFuture(value), value, () -> Duration.ZERO);
    }

    /** Waits for answers that were all requested before, and returns their values in order. */
    static <T> List<T> joined(List<BoundedAnswer<T>> answers) {
        Duration longest = answers.stream()
                .map(one -> one.left.get())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        // The timers of a closed client never fire, so this thread measures the limit as well.
        if (!endsWithin(allOf(answers.stream().map(BoundedAnswer::answer).toList()), longest.plus(GRACE))) {
            answers.forEach(one -> one.answer.complete(one.otherwise));
        }
        return answers.stream().map(one -> one.answer.join()).toList();
    }

    /** Returns a future that completes when all of these have completed. */
    static CompletableFuture<?> allOf(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }

    /** Waits for the future; an interrupt does not end the wait, and stays set. Returns {@code false} after the limit. */
    static boolean endsWithin(CompletableFuture<?> future, Duration limit) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
