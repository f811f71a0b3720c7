package io.holdfast.servers;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Waits for a condition or a result, with a time limit; tests use it instead of sleeping. */
public final class Eventually {

    /**
     * The limit of a wait that is expected to end: two minutes, which a machine that is ten times slower does not
     * reach. It decides only when a test that has failed ends.
     */
    public static final Duration BOUND = Duration.ofMinutes(2);

    private static final long SHORTEST_PAUSE_MILLIS = 2;
    private static final long LONGEST_PAUSE_MILLIS = 20;

    private Eventually() {}

    /**
     * Waits at most {@link #BOUND} until the condition holds.
     *
     * @param what the condition in words, such as "the key is gone"
     * @throws AssertionError if the condition does not hold in time, with its last exception as cause, or if the thread
     * is interrupted
     */
    public static void eventually(String what, Callable<Boolean> condition) {
        within(BOUND, what, condition);
    }

    /** Waits as {@link #eventually} does, with another limit. A condition that throws counts as false. */
    public static void within(Duration bound, String what, Callable<Boolean> condition) {
        long start = System.nanoTime();
        long pauseMillis = SHORTEST_PAUSE_MILLIS;
        Exception last = null;
        while (System.nanoTime() - start < bound.toNanos()) {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (InterruptedException e) {
                throw interrupted(what, e);
            } catch (Exception e) {
                last = e;
            }
            pause(pauseMillis, what);
            pauseMillis = Math.min(pauseMillis + 1, LONGEST_PAUSE_MILLIS);
        }
        throw new AssertionError("Not within " + bound.toMillis() + " ms: " + what, last);
    }

    /**
     * Waits at most {@link #BOUND} for the result of the stage, and returns it.
     *
     * @throws CompletionException if the stage fails, or does not end in time
     */
    public static <T> T result(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private static void pause(long millis, String what) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    private static AssertionError interrupted(String what, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new AssertionError("Interrupted while waiting until " + what, cause);
    }
}
