package io.holdfast.redis.connection;

import io.holdfast.node.batch.InFlight;
import io.holdfast.node.batch.SilentChecks;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The claims of one session that have no answer yet, and the number of answers. Thread-safe. */
final class ClaimAnswers {

    /** The time without any answer, in checks of {@link ClaimWatch}. */
    private static final int SILENT_CHECKS = 10;

    private final BiConsumer<Object, Throwable> onEnd;
    private final InFlight unanswered = new InFlight(Integer.MAX_VALUE);
    private final AtomicLong answers = new AtomicLong();
    private final SilentChecks silence = new SilentChecks();

    /**
     * Counts nothing yet.
     *
     * @param isAnswered returns {@code false} if a claim has ended because its connection did
     */
    ClaimAnswers(BooleanSupplier isAnswered) {
        this.onEnd = (done, failure) -> {
            if (isAnswered.getAsBoolean()) {
                answers.incrementAndGet();
            }
        };
    }

    /** Returns the number of claims that have no answer. */
    int missing() {
        return unanswered.count();
    }

    /** Counts a claim until it ends. A claim that ends before the call returns was not sent. */
    <T> CompletionStage<T> count(Supplier<CompletionStage<T>> claim) {
        return unanswered.run(
                claim,
                () -> {
                    throw new IllegalStateException("No claim exceeds the bound");
                },
                onEnd);
    }

    /**
     * Returns {@code true} if claims were waiting at each of the last checks, and none was answered meanwhile. Called
     * once a second.
     */
    boolean areMissing() {
        return silence.check(answers.get(), unanswered.count() > 0) >= SILENT_CHECKS;
    }
}
