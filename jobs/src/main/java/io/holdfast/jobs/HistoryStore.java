package io.holdfast.jobs;

import io.holdfast.HeldRecord;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.event.LockEvent;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The history beside one lock, as its only holder reads and writes it. Each future completes on a thread that must not
 * be blocked. One chain of futures at a time uses it.
 */
final class HistoryStore {

    /** The time for which a run tries again to read or to write the history on slow nodes. */
    static final Duration RETRY_LIMIT = Duration.ofSeconds(10);

    /** The time between two such attempts. */
    static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final HeldRecord record;
    private final Time time;
    private volatile LockRecord read = LockRecord.none(LockRecord.NEVER);
    private volatile Optional<JobHistory> history = Optional.empty();

    HistoryStore(Lease lease) {
        this.record = LockInternals.onReplyThreads(lease.record());
        this.time = LockInternals.time(record);
    }

    /** Reads the history from the nodes. */
    CompletableFuture<LockRecord> read() {
        return record.readAsync().thenApply(answer -> {
            read = answer;
            history = JobHistory.of(answer);
            return answer;
        });
    }

    /** Returns the record that was read last; none, of which nothing is certain, before the first time. */
    LockRecord last() {
        return read;
    }

    /** Returns the history that was read; empty before, and if another version has written it in another format. */
    Optional<JobHistory> history() {
        return history;
    }

    /** Writes the history that was read, changed in this way. The result is {@code true} if a majority has it. */
    CompletableFuture<Boolean> rewrite(UnaryOperator<JobHistory> change) {
        return history.map(change)
                .map(next -> record.writeAsync(next.text(), next.keep()))
                .orElseGet(() -> CompletableFuture.completedFuture(false));
    }

    /** Reports the end of a run to the listeners of the client. */
    void report(LockEvent.RunEnded end) {
        LockInternals.report(record, end);
    }

    /** Repeats a step until it succeeds, for a limited time. The result is {@code true} if it has succeeded. */
    CompletableFuture<Boolean> repeat(Supplier<CompletableFuture<Boolean>> step) {
        return repeat(step, time.now());
    }

    private CompletableFuture<Boolean> repeat(Supplier<CompletableFuture<Boolean>> step, Moment begun) {
        return step.get().thenCompose(isDone -> {
            boolean isOver = time.now().surelySince(begun).compareTo(RETRY_LIMIT) > 0;
            return isDone || isOver
                    ? CompletableFuture.completedFuture(isDone)
                    : pause(RETRY_PAUSE, new CompletableFuture<>()).thenCompose(over -> repeat(step, begun));
        });
    }

    /**
     * Returns a future that completes after this time, or with the other one if that is sooner. It fails when the
     * client is closed, whose timers never fire.
     */
    CompletableFuture<?> pause(Duration duration, CompletableFuture<?> end) {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        LockInternals.failAtClose(record, over);
        Time.Timer timer = time.schedule(duration, () -> over.complete(true));
        end.thenRun(() -> {
            timer.cancel();
            over.complete(true);
        });
        return over;
    }

    /** Waits for a future. An interrupt does not end the wait; it stays set. */
    <T> T join(CompletableFuture<T> future) {
        ThreadWait.uninterruptibly(time::await, future, Durations.FOREVER);
        return result(future);
    }

    /** Waits for a future; an interrupt ends the wait. */
    <T> T get(CompletableFuture<T> future) throws InterruptedException {
        time.await(future, Durations.FOREVER);
        return result(future);
    }

    private static <T> T result(CompletableFuture<T> complete) {
        try {
            return ThreadWait.resultOf(complete);
        } catch (CompletionException e) {
            throw HoldfastException.from(e);
        }
    }

    /** Returns the future with a result that arrives on a thread which may be blocked, or that is there at once. */
    <T> CompletableFuture<T> delivered(CompletableFuture<T> result) {
        return result.isDone() ? result : result.thenApplyAsync(value -> value, time::execute);
    }
}
