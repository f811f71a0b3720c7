package io.holdfast.jobs;

import io.holdfast.Holdfast;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Moment;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The states of all jobs as one client has read them last. What shows them often, such as meters and health, shares
 * one overview: it asks the nodes only when it is asked itself, at most once in a given time, and on a thread of the
 * client.
 *
 * <p>Thread-safe.
 */
public final class JobOverview {

    /** The age from which a reading is replaced, by default. */
    public static final Duration MAX_AGE = Duration.ofSeconds(15);

    /**
     * The jobs at the moment of one reading. Immutable.
     *
     * @param number counts the readings of one overview; zero before the first has ended
     * @param jobs the jobs, sorted by name; none if they are not known
     * @param cause why they are not known; empty if they are
     */
    public record Reading(long number, List<JobStatus> jobs, String cause) {

        private static final Reading NONE = new Reading(0, List.of(), "not read yet");

        /** Returns {@code true} if the nodes have listed the jobs. */
        public boolean isKnown() {
            return cause.isEmpty();
        }
    }

    private final Holdfast holdfast;
    private final Time time;
    private final Duration maxAge;
    private @Nullable Moment begun;
    private CompletableFuture<Reading> pending = CompletableFuture.completedFuture(Reading.NONE);
    private volatile Reading latest = Reading.NONE;

    /** Creates an overview whose readings are replaced from {@link #MAX_AGE} on. Does not ask the nodes. */
    public JobOverview(Holdfast holdfast) {
        this(holdfast, MAX_AGE);
    }

    /**
     * Creates an overview. Does not ask the nodes.
     *
     * @param maxAge the age from which a reading is replaced, more than zero
     * @throws IllegalArgumentException if the age is zero or negative
     */
    public JobOverview(Holdfast holdfast, Duration maxAge) {
        if (maxAge.isNegative() || maxAge.isZero()) {
            throw new IllegalArgumentException(
                    "the age " + maxAge + " would ask the nodes at each call; give a duration such as 15s");
        }
        this.holdfast = holdfast;
        this.time = LockInternals.time(Job.lock(holdfast, "jobs"));
        this.maxAge = maxAge;
    }

    /**
     * Returns the last reading that has ended. If its beginning is too long ago, begins another one, which a later call
     * returns. Does not block.
     */
    public Reading latest() {
        current();
        return latest;
    }

    /**
     * Begins a reading if the last one is too old. Does not block.
     *
     * @param limit the longest wait, counted from this call
     * @return waits for the reading, and returns the one before if the limit is over; an interrupt does not end that
     */
    public Supplier<Reading> within(Duration limit) {
        Moment called = time.now();
        CompletableFuture<Reading> reading = current();
        return () -> {
            ThreadWait.uninterruptibly(
                    time::await, reading, limit.minus(time.now().surelySince(called)));
            return latest;
        };
    }

    private CompletableFuture<Reading> current() {
        CompletableFuture<Reading> next = new CompletableFuture<>();
        synchronized (this) {
            Moment now = time.now();
            if (!pending.isDone() || (begun != null && now.since(begun).compareTo(maxAge) < 0)) {
                return pending;
            }
            begun = now;
            pending = next;
        }
        try {
            time.execute(() -> read(next));
        } catch (RuntimeException | Error noThread) {
            failed(next, noThread);
        }
        return next;
    }

    private void read(CompletableFuture<Reading> next) {
        try {
            ended(next, JobStatus.all(holdfast.admin()), "");
        } catch (RuntimeException | Error failure) {
            failed(next, failure);
        }
    }

    private void failed(CompletableFuture<Reading> next, Throwable failure) {
        String message = failure.getMessage();
        ended(next, List.of(), message == null ? failure.toString() : message);
    }

    /** One reading at a time is pending, so its number is the next one. */
    private void ended(CompletableFuture<Reading> next, List<JobStatus> jobs, String cause) {
        latest = new Reading(latest.number() + 1, jobs, cause);
        next.complete(latest);
    }
}
