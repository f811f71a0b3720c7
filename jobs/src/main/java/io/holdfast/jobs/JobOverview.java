package io.holdfast.jobs;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
     * The age from which a reading is too old to be shown: 10 minutes, or twice the age from which it is replaced, if
     * that is longer. A Prometheus that works scrapes more often, since its values are stale after 5 minutes.
     */
    public static final Duration LONGEST_SHOWN = Duration.ofMinutes(10);

    /**
     * The jobs at the moment of one reading. Immutable.
     *
     * @param begun when the reading began, by the clock of this machine. Whether a job is due or overdue is judged by
     *     this moment: later, it may have run without being read
     * @param jobs the jobs, sorted by name; none if they are not known
     * @param cause why they are not known; empty if they are
     */
    public record Reading(Instant begun, List<JobStatus> jobs, String cause) {

        private static final Reading NONE = new Reading(Instant.EPOCH, List.of(), "not read yet");

        private Reading unknown(String why) {
            return new Reading(begun, List.of(), why);
        }

        /** Returns {@code true} if the nodes have listed the jobs. */
        public boolean isKnown() {
            return cause.isEmpty();
        }
    }

    /** A reading that has ended, and the moment at which it began. */
    private record Ended(Moment begun, Reading reading) {}

    private final Holdfast holdfast;
    private final DistributedLock lock;
    private final Time time;
    private final Duration maxAge;
    private final Duration longestShown;
    private @Nullable Moment begun;
    private CompletableFuture<Ended> pending;
    private volatile Ended latest;

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
        this.lock = Job.lock(holdfast, "jobs");
        this.time = LockInternals.time(lock);
        this.maxAge = maxAge;
        this.longestShown =
                Durations.longer(LONGEST_SHOWN, Durations.times(Durations.shorter(maxAge, Durations.FOREVER), 2));
        this.latest = new Ended(time.now(), Reading.NONE);
        this.pending = CompletableFuture.completedFuture(latest);
    }

    /**
     * Returns the last reading that has ended; one without jobs if that is {@linkplain #LONGEST_SHOWN too long ago}. An
     * old reading lets this client begin the next one, which later calls return. Does not block.
     */
    public Reading latest() {
        current();
        return shown();
    }

    /** A pause of the caller must not show the state before it as the present one. */
    private Reading shown() {
        Ended last = latest;
        boolean isOld =
                last.reading().isKnown() && time.now().since(last.begun()).compareTo(longestShown) > 0;
        return isOld ? last.reading().unknown("the last reading is too old") : last.reading();
    }

    /**
     * Begins a reading if the last one is too old. Does not block.
     *
     * @param limit the longest wait, counted from this call
     * @return waits for the reading, and returns {@link #latest} if the limit is over; an interrupt does not end that
     */
    public Supplier<Reading> within(Duration limit) {
        Moment called = time.now();
        CompletableFuture<Ended> reading = current();
        return () -> {
            ThreadWait.uninterruptibly(
                    time::await, reading, limit.minus(time.now().surelySince(called)));
            return shown();
        };
    }

    private CompletableFuture<Ended> current() {
        CompletableFuture<Ended> next = new CompletableFuture<>();
        Moment now = time.now();
        synchronized (this) {
            if (!pending.isDone() || (begun != null && now.since(begun).compareTo(maxAge) < 0)) {
                return pending;
            }
            begun = now;
            pending = next;
        }
        try {
            time.execute(() -> read(now, next));
        } catch (RuntimeException | Error noThread) {
            failed(now, next, noThread);
        }
        return next;
    }

    private void read(Moment start, CompletableFuture<Ended> next) {
        // The threads of a closed client have ended, and this is the thread of the caller.
        if (LockInternals.isClosed(lock)) {
            ended(start, next, List.of(), "the client is closed");
            return;
        }
        try {
            ended(start, next, JobStatus.all(holdfast.admin()), "");
        } catch (RuntimeException | Error failure) {
            failed(start, next, failure);
        }
    }

    private void failed(Moment start, CompletableFuture<Ended> next, Throwable failure) {
        String message = failure.getMessage();
        ended(start, next, List.of(), message == null ? failure.toString() : message);
    }

    private void ended(Moment start, CompletableFuture<Ended> next, List<JobStatus> jobs, String cause) {
        Instant moment = Instant.EPOCH.plus(start.wallMicros(), ChronoUnit.MICROS);
        latest = new Ended(start, new Reading(moment, jobs, cause));
        next.complete(latest);
    }
}
