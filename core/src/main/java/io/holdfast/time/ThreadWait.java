package io.holdfast.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only place where the library blocks a thread of its caller. The thread parks itself.
 * {@code CompletableFuture.get} would follow the rules of a pool instead: a worker of a {@code ForkJoinPool} runs other
 * tasks of the application meanwhile, or asks for a spare thread and fails if there may be none.
 */
public final class ThreadWait {

    /** A wait as that of {@link Time#await} and {@link ThreadWait#park}. */
    @FunctionalInterface
    public interface Wait {

        /** Blocks the calling thread until the future is complete; {@code false} if the limit was over before. */
        boolean await(CompletableFuture<?> future, Duration limit) throws InterruptedException;
    }

    /** A call that an interrupt may end. */
    @FunctionalInterface
    public interface Attempt {

        /** Returns {@code true} if the call has succeeded. */
        boolean run() throws InterruptedException;
    }

    private ThreadWait() {}

    /**
     * Blocks the calling thread until the future is complete, however it completes, as {@link Time#await} does in the
     * time of this machine.
     *
     * @param limit the longest wait; {@link Durations#FOREVER} or more: without limit
     * @return {@code false} if the limit was over before
     * @throws InterruptedException if the thread is interrupted and the future is not complete
     */
    public static boolean park(CompletableFuture<?> future, Duration limit) throws InterruptedException {
        if (future.isDone()) {
            return true;
        }
        Thread waiting = Thread.currentThread();
        future.whenComplete((done, failure) -> LockSupport.unpark(waiting));
        boolean isBounded = limit.compareTo(Durations.FOREVER) < 0;
        long begun = System.nanoTime();
        while (!future.isDone()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted during the wait");
            }
            long left = isBounded ? limit.toNanos() - (System.nanoTime() - begun) : Long.MAX_VALUE;
            if (left <= 0) {
                return false;
            }
            parkFor(left, future);
        }
        return true;
    }

    private static void parkFor(long nanos, Object future) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(future);
        } else {
            LockSupport.parkNanos(future, nanos);
        }
    }

    /**
     * Blocks the calling thread until the future is complete. An interrupt does not end the wait; it stays set.
     *
     * @param limit the longest wait after each interrupt
     * @return {@code false} if the limit was over before
     */
    public static boolean uninterruptibly(Wait wait, CompletableFuture<?> future, Duration limit) {
        return throughInterrupts(() -> wait.await(future, limit));
    }

    /** Repeats the call until no interrupt ends it. An interrupt stays set. */
    public static boolean throughInterrupts(Attempt attempt) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return attempt.run();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits as {@link #uninterruptibly} does, without limit, and returns the result; throws as
     * {@code CompletableFuture.join} does.
     */
    public static <T> T join(Wait wait, CompletableFuture<T> future) {
        uninterruptibly(wait, future, Durations.FOREVER);
        return resultOf(future);
    }

    /**
     * Requests something and waits for it without limit. If the wait ends by an interrupt or an error, the future is
     * cancelled. Throws as {@code CompletableFuture.join} does.
     *
     * @param release receives a result that arrives nevertheless
     * @throws InterruptedException if the thread is interrupted before the request or during the wait
     */
    public static <T> T request(Wait wait, Supplier<CompletableFuture<T>> request, Consumer<? super T> release)
            throws InterruptedException {
        requireNotInterrupted(null);
        CompletableFuture<T> future = request.get();
        try {
            wait.await(future, Durations.FOREVER);
            return resultOf(future);
        } catch (Throwable ended) {
            if (!future.cancel(true)) {
                future.thenAccept(release);
            }
            throw ended;
        }
    }

    /** Throws if the thread is interrupted before it has requested the lock of this name, or of any if it is null. */
    public static void requireNotInterrupted(@Nullable String lock) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(
                    "interrupted before " + (lock == null ? "the lock" : "'" + lock + "'") + " was requested");
        }
    }

    /** Returns the result of a future that is complete; throws as {@code join} does. */
    public static <T> T resultOf(CompletableFuture<T> complete) {
        if (!complete.isDone()) {
            throw new IllegalStateException("The future is not complete; wait for it first");
        }
        return complete.join();
    }
}
