package io.holdfast.redis.connection;

import io.holdfast.node.batch.InFlight;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The claims of one session that have no answer yet, and the number of answers. Thread-safe. */
final class ClaimAnswers {

    /** The time without any answer, in checks of {@link ClaimWatch}. */
    private static final int SILENT_CHECKS = 10;

    private final InFlight unanswered = new InFlight(Integer.MAX_VALUE);
    private final AtomicLong answers = new AtomicLong();
    private long answersBefore;
    private int silentChecks;

    /**
     * Counts a claim until it ends. A claim that ends before the call returns was not sent.
     *
     * @param isAnswered returns {@code false} if the claim ended because its connection did
     */
    <T> CompletionStage<T> count(Supplier<CompletionStage<T>> claim, BooleanSupplier isAnswered) {
        return unanswered.run(
                () -> {
                    CompletionStage<T> reply = claim.get();
                    return reply.toCompletableFuture().isDone()
                            ? reply
                            : reply.whenComplete((done, failure) -> {
                                if (isAnswered.getAsBoolean()) {
                                    answers.incrementAndGet();
                                }
                            });
                },
                () -> {
                    throw new IllegalStateException("No claim exceeds the bound");
                });
    }

    /**
     * Returns {@code true} if claims were waiting at each of the last checks, and none was answered meanwhile. Called
     * once a second by one thread at a time. Counts calls instead of comparing clocks, so that a pause of this process
     * does not look like a silent server.
     */
    synchronized boolean areMissing() {
        long answersNow = answers.get();
        silentChecks = unanswered.count() > 0 && answersNow == answersBefore ? silentChecks + 1 : 0;
        answersBefore = answersNow;
        return silentChecks >= SILENT_CHECKS;
    }
}
