package io.holdfast.servers;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for a condition, with a time limit; tests use it instead of sleeping. */
public final class Eventually {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(2);

    private Eventually() {}

    /**
     * Waits at most 10 s until the condition holds.
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
        Exception last = null;
        while (System.nanoTime() - start < bound.toNanos()) {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
                Thread.sleep(PAUSE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting until " + what, e);
            } catch (Exception e) {
                last = e;
            }
        }
        throw new AssertionError("Not within " + bound.toMillis() + " ms: " + what, last);
    }
}
