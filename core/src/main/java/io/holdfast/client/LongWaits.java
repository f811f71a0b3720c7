package io.holdfast.client;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.ResourceName;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.WhileUsed;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Logs which locks requests of one client have waited for since long, and who holds them. A lock is logged when its
 * longest request has waited for half a minute, and again after each doubling of that.
 *
 * <p>Thread-safe. One timer examines all pending requests, so a request costs nothing until then.
 */
final class LongWaits {

    private static final Duration CHECK = Duration.ofSeconds(10);

    /** The default limit of a wait, so only callers that want to wait for longer are logged. */
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The most locks that are logged at once. */
    private static final int MOST_LOCKS = 10;

    private final PendingAcquisitions pending;
    private final Function<String, CompletableFuture<Optional<ClientDescription>>> holders;
    private final Function<String, AcquireResult.Refused<?>> known;
    private final Log log;
    private final Time time;
    private final WhileUsed checks;
    /** When each lock is logged next; changed by one check at a time. */
    private final Map<String, Duration> next = new ConcurrentHashMap<>();

    /** A receiver of lines. Thread-safe. */
    interface Log {

        /** Returns whether {@link #waits} logs anything. May block, as the first use of logging does. */
        boolean logsWaits();

        /** Runs a task on a thread that may block. */
        void inBackground(Runnable task);

        /** Logs a line; does not block. */
        void waits(String line);
    }

    /** A lock with requests that have waited for long. */
    private record Waits(String resource, int requests, Duration longest) {}

    /**
     * Creates an object that has seen no request.
     *
     * @param holders looks up the holder of a lock; never fails
     * @param known returns what the requests for a lock have learnt last
     */
    LongWaits(
            PendingAcquisitions pending,
            Function<String, CompletableFuture<Optional<ClientDescription>>> holders,
            Function<String, AcquireResult.Refused<?>> known,
            Log log,
            Time time) {
        this.pending = pending;
        this.holders = holders;
        this.known = known;
        this.log = log;
        this.time = time;
        this.checks = new WhileUsed(
                time, CHECK, CHECK, () -> !pending.isEmpty() || !next.isEmpty(), () -> log.inBackground(this::examine));
    }

    /** Examines the pending requests from now on, until there are none. Neither blocks nor throws. */
    void begin() {
        checks.begin();
    }

    /** The timers of leases wait for a check, so this runs elsewhere. */
    private synchronized void examine() {
        Moment now = time.now();
        Map<String, Waits> waits = pending.ofLocks()
                .map(request -> new Waits(request.resource(), 1, request.seenFor(now)))
                .filter(wait -> wait.longest().compareTo(LONG) >= 0)
                .collect(Collectors.toMap(Waits::resource, wait -> wait, LongWaits::sum));
        next.keySet().retainAll(waits.keySet());
        List<Waits> due = waits.values().stream()
                .filter(wait -> wait.longest().compareTo(next.getOrDefault(wait.resource(), LONG)) >= 0)
                .sorted(Comparator.comparing(Waits::longest).reversed().thenComparing(Waits::resource))
                .toList();
        due.forEach(wait -> next.put(wait.resource(), Durations.times(wait.longest(), 2)));
        if (!due.isEmpty() && log.logsWaits()) {
            due.stream().limit(MOST_LOCKS).forEach(this::log);
            if (due.size() > MOST_LOCKS) {
                log.waits("Requests have waited as long for " + (due.size() - MOST_LOCKS) + " more locks");
            }
        }
    }

    private static Waits sum(Waits one, Waits other) {
        return new Waits(
                one.resource(), one.requests() + other.requests(), Durations.longer(one.longest(), other.longest()));
    }

    private void log(Waits wait) {
        AcquireResult.Refused<?> last = known.apply(wait.resource());
        if (last.isByHolder()) {
            holders.apply(wait.resource())
                    .thenAccept(holder -> log.waits(sentence(wait) + "it is held by "
                            + holder.map(ClientDescription::toString).orElse("another")));
        } else {
            log.waits(sentence(wait) + "too few nodes vote [" + last.votes() + "]");
        }
    }

    private static String sentence(Waits wait) {
        String lock = " waited for '" + ResourceName.name(wait.resource()) + "'";
        return (wait.requests() == 1
                        ? "A request has" + lock
                        : wait.requests() + " requests have" + lock + ", the longest")
                + " for more than " + wait.longest().toSeconds() + " s; ";
    }
}
