package io.holdfast.cli.lock;

import io.holdfast.Lease;
import io.holdfast.jobs.JobRecorder;
import io.holdfast.jobs.JobRule;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The lease of a run: of one lock, or of several locks, which are lost together.
 *
 * @param leases at least one, in the order of the names of the locks
 */
public record JointLease(List<Lease> leases) {

    private static final String SEPARATOR = ",";

    /** Returns the names of the locks for a message. */
    public String resource() {
        return joined(Lease::resource, "', '");
    }

    /** Returns the names of the locks, one per line. */
    public String lines() {
        return joined(Lease::resource, "\n");
    }

    /** Returns the fencing tokens, separated by commas. */
    public String fencingToken() {
        return joined(lease -> lease.fencingToken().toString(), SEPARATOR);
    }

    /** Returns the secrets of the holder, separated by commas. */
    public String owner() {
        return joined(lease -> lease.owner().token(), SEPARATOR);
    }

    private String joined(Function<Lease, String> text, String separator) {
        return String.join(separator, leases.stream().map(text).toList());
    }

    /** Returns the time for which all leases are valid without a further renewal. */
    public Duration remaining() {
        return Collections.min(leases.stream().map(Lease::remaining).toList());
    }

    /** Returns the time by which the report of a loss precedes the end of the validity. */
    public Duration lossMargin() {
        return leases.get(0).lossMargin();
    }

    /** Returns the worst state of the leases. */
    public LeaseState state() {
        List<LeaseState> states = leases.stream().map(Lease::state).toList();
        return states.stream()
                .filter(LeaseState.LOST::equals)
                .findFirst()
                .orElseGet(() -> states.stream()
                        .filter(state -> !state.isValid())
                        .findFirst()
                        .orElse(states.get(0)));
    }

    /** Returns whether all leases are valid at this moment. */
    public boolean isValid() {
        return leases.stream().allMatch(Lease::isValid);
    }

    /** Extends all leases by this time; a lease that no majority confirms is left as it is. */
    public void extend(Duration time) {
        leases.forEach(lease -> lease.extend(time));
    }

    /** Registers a callback for the first loss. */
    public void onLost(Consumer<Loss> callback) {
        AtomicBoolean isLost = new AtomicBoolean();
        leases.forEach(lease -> lease.onLost(loss -> {
            if (!isLost.getAndSet(true)) {
                callback.accept(loss);
            }
        }));
    }

    /** Returns a future of the first loss. */
    public CompletableFuture<Object> lossFuture() {
        return CompletableFuture.anyOf(leases.stream().map(Lease::lossFuture).toArray(CompletableFuture<?>[]::new));
    }

    /** Stores a note about the holder beside each lock. */
    public void annotate(String text) {
        leases.forEach(lease -> lease.annotate(text));
    }

    /** Returns a recorder for each lock. Holders that share a lock would overwrite each other's, so it has none. */
    List<JobRecorder> recorders(JobRule rule) {
        return leases.stream()
                .filter(lease -> !lease.isShared())
                .map(lease -> JobRecorder.of(lease, rule))
                .toList();
    }

    /** Releases all locks at once, and returns the worst outcome. A second call returns the result of the first. */
    public ReleaseOutcome release() {
        leases.forEach(Lease::releaseAsync);
        List<ReleaseOutcome> outcomes = leases.stream().map(Lease::release).toList();
        return outcomes.contains(ReleaseOutcome.NOT_HELD)
                ? ReleaseOutcome.NOT_HELD
                : outcomes.contains(ReleaseOutcome.UNCONFIRMED) ? ReleaseOutcome.UNCONFIRMED : ReleaseOutcome.RELEASED;
    }
}
