package io.holdfast.quorum;

import static io.holdfast.time.Durations.longer;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Random delays between attempts: exponential with a cap and full jitter, so that clients that collided do not collide
 * again (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 *
 * @param first the greatest delay after the first attempt
 * @param limit the greatest delay after any attempt
 */
public record Backoff(Duration first, Duration limit) {

    private static final int MAX_DOUBLINGS = 30;

    /** Returns a poll delay for a waiter that expects a notification: between half of the limit and the limit. */
    public Duration pollDelay(RandomGenerator random) {
        return pollDelay(limit, random);
    }

    /** Returns a poll delay for a waiter that expects a notification, with a longer limit if it is given. */
    public Duration pollDelay(Duration longest, RandomGenerator random) {
        long half = longer(limit, longest).toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half + 1));
    }

    /** Returns a delay after this number of attempts, at least 1. */
    public Duration after(int attempts, RandomGenerator random) {
        long factor = 1L << Math.min(attempts - 1, MAX_DOUBLINGS);
        long cap = first.toNanos() > limit.toNanos() / factor ? limit.toNanos() : first.toNanos() * factor;
        return Duration.ofNanos(random.nextLong(cap) + 1);
    }
}
