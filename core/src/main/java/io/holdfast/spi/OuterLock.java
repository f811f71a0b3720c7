package io.holdfast.spi;

import io.holdfast.LockOptions;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * A lock of another library that is held together with one of Holdfast: it is locked first and unlocked last. For
 * adapters to what migrates without a stop. Immutable.
 */
public final class OuterLock {

    /** A way to acquire a lock. */
    @FunctionalInterface
    public interface Entry {

        /**
         * Waits for the lock at most this long.
         *
         * @param waitLimit zero: does not wait for a holder; {@link LockOptions#FOREVER}: without limit
         * @return {@code false} if another holder had it
         */
        boolean enter(Duration waitLimit) throws InterruptedException;
    }

    private final Entry entry;
    private final Runnable exit;
    private final Time time;

    private OuterLock(Entry entry, Runnable exit, Time time) {
        this.entry = entry;
        this.exit = exit;
        this.time = time;
    }

    /** Returns a lock that this entry acquires and this exit releases. Both run on the thread of the caller. */
    public static OuterLock of(Entry entry, Runnable exit, Time time) {
        return new OuterLock(entry, exit, time);
    }

    /** Acquires a lock of {@code java.util.concurrent}, as {@link Entry#enter} says. */
    public static boolean enter(Lock lock, Duration waitLimit) throws InterruptedException {
        if (waitLimit.isZero()) {
            return lock.tryLock();
        }
        if (waitLimit.compareTo(LockOptions.FOREVER) < 0) {
            return lock.tryLock(waitLimit.toNanos(), TimeUnit.NANOSECONDS);
        }
        lock.lockInterruptibly();
        return true;
    }

    /**
     * Acquires both locks, or none of them.
     *
     * @param waitLimit the longest wait for both
     * @param inner acquires the lock of Holdfast; gets what is left of the limit
     * @return {@code false} if another holder had one of them
     */
    public boolean enter(Duration waitLimit, Entry inner) throws InterruptedException {
        Moment begun = time.now();
        if (!entry.enter(waitLimit)) {
            return false;
        }
        boolean entered;
        try {
            entered = inner.enter(rest(waitLimit, begun));
        } catch (Throwable failure) {
            releaseDespite(failure, exit);
            throw failure;
        }
        if (!entered) {
            release(exit);
        }
        return entered;
    }

    private Duration rest(Duration waitLimit, Moment begun) {
        return waitLimit.compareTo(LockOptions.FOREVER) < 0
                ? Durations.longer(Duration.ZERO, waitLimit.minus(time.now().surelySince(begun)))
                : waitLimit;
    }

    /**
     * Releases both locks, as {@link #releaseBoth} does.
     *
     * @param inner releases the lock of Holdfast
     */
    public void leave(Runnable inner) {
        releaseBoth(inner, exit);
    }

    /** Runs both releases, whether one of them fails or not, and throws what the first failure has thrown. */
    public static void releaseBoth(Runnable first, Runnable second) {
        try {
            first.run();
        } catch (Throwable failure) {
            releaseDespite(failure, second);
            throw failure;
        }
        release(second);
    }

    private static void releaseDespite(Throwable failure, Runnable exit) {
        try {
            release(exit);
        } catch (Throwable another) {
            failure.addSuppressed(another);
        }
    }

    /** Some libraries do not release a lock on an interrupted thread, and renew it further. */
    private static void release(Runnable exit) {
        boolean interrupted = Thread.interrupted();
        try {
            exit.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
