package io.holdfast.admin;

import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    /** Returns the results of futures that are complete, in order. */
    static <T> List<T> resultsOf(List<CompletableFuture<T>> complete) {
        return complete.stream().map(ThreadWait::resultOf).toList();
    }

    /** Waits for answers that were all requested before, and returns their values in order. */
    static <T> List<T> joined(Time time, List<BoundedAnswer<T>> answers) {
        Duration longest = answers.stream()
                .map(one -> one.left.get())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        // The timers of a closed client never fire, so this thread measures the limit as well.
        CompletableFuture<?> all =
                allOf(answers.stream().map(BoundedAnswer::answer).toList());
        if (!ThreadWait.uninterruptibly(time::await, all, longest.plus(GRACE))) {
            answers.forEach(one -> one.answer.complete(one.otherwise));
        }
        return resultsOf(answers.stream().map(BoundedAnswer::answer).toList());
    }

    /** Returns a future that completes when all of these have completed. */
    static CompletableFuture<?> allOf(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
    }
}
