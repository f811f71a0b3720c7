package io.holdfast.spring.use;

import io.holdfast.LeaseLostException;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The locks of one call, which acquires each of them while it holds those before it. Used by one thread at a time. */
public final class CallLocks {

    private final Duration holdAtLeast;
    private final List<LeaseUse> uses = new ArrayList<>();
    private @Nullable Time time;
    private @Nullable Moment begun;

    /**
     * Begins a call without a lock.
     *
     * @param holdAtLeast the time for which the nodes have to keep the locks, if the method runs
     */
    public CallLocks(Duration holdAtLeast) {
        this.holdAtLeast = holdAtLeast;
    }

    /** Begins the request for the first lock, or for another one. */
    public void request(Time now) {
        if (begun == null) {
            time = now;
            begun = now.now();
        }
    }

    /** Returns the time since the request for the first lock; zero before it. */
    public Duration waited() {
        return time == null || begun == null ? Duration.ZERO : time.now().surelySince(begun);
    }

    /** Adds a lock that was granted, or that the caller holds. */
    public void add(LeaseUse use) {
        uses.add(use);
    }

    /** Returns the locks in their order. */
    public List<LeaseUse> uses() {
        return List.copyOf(uses);
    }

    /**
     * Begins the method: from now on, the nodes have to keep the locks.
     *
     * @throws LeaseLostException if one of several locks was lost during the wait for the others
     */
    public void begin() {
        if (uses.size() > 1) {
            uses.forEach(use -> use.lease().ensureValidFor(Duration.ZERO));
        }
        uses.forEach(use -> use.retain(holdAtLeast));
    }
}
