package io.holdfast.servers;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for a condition, with a bound: what a test does instead of sleeping. */
public final class Eventually {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(2);

    private Eventually() {}

    /**
     * Waits at most 10 s until the condition holds.
     *
     * @param what the condition in words, such as "the key is gone"
     * @throws AssertionError if it does not, or if the thread is interrupted; with the condition's last exception as cause
     */
    public static void eventually(String what, Callable<Boolean> condition) {
        within(BOUND, what, condition);
    }

    /** As {@link #eventually}, with another bound. A condition that throws does not hold yet. */
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
