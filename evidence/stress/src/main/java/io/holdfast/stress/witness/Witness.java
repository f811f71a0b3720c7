package io.holdfast.stress.witness;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Checks which holders are inside a lock. Callers report the name, the token and the validity of their grants; the
 * witness uses no other information.
 *
 * <p>A holder is inside from its report until it reports that it leaves, or until its validity ends. An overlap is
 * reported only if both holders confirm their validity after the second one has entered, so a pause of the machine
 * causes no false report.
 */
public final class Witness {

    private final Findings findings;
    private final Map<String, ObservedLock> locks = new ConcurrentHashMap<>();
    private final LongAdder entries = new LongAdder();

    public Witness(Findings findings) {
        this.findings = findings;
    }

    /** Returns the greatest token of the resource so far. The token of a later acquisition must be above it. */
    public long floor(String resource) {
        return lock(resource).highest();
    }

    /**
     * Reports that a holder enters with a new grant.
     *
     * @param floor the result of {@link #floor} before the acquisition began
     * @param validUntil the time until which the holder may rely on the grant, by {@link System#nanoTime}; in the past
     * once the grant has ended
     */
    public ObservedHold enter(String resource, long token, long floor, boolean shared, LongSupplier validUntil) {
        entries.increment();
        ObservedHold hold = new ObservedHold(lock(resource), resource, token, shared, validUntil);
        lock(resource).granted(hold, floor, findings);
        return hold;
    }

    /**
     * Reports that another holder enters with a grant that it has attached to. All holders with the token may be inside
     * at once.
     *
     * @param begun the time at which it began to attach, by {@link System#nanoTime}
     */
    public ObservedHold attach(String resource, long token, long begun, boolean shared, LongSupplier validUntil) {
        entries.increment();
        ObservedHold hold = new ObservedHold(lock(resource), resource, token, shared, validUntil);
        lock(resource).attached(hold, begun, findings);
        return hold;
    }

    /**
     * Reports that a holder enters a pool, which admits as many as it has permits. Its tokens are those of the pool's
     * locks.
     */
    public ObservedHold enterPool(String pool, int permits, LongSupplier validUntil) {
        ObservedHold hold = new ObservedHold(lock(pool), pool, 0, false, validUntil);
        lock(pool).enteredPool(hold, permits, findings);
        return hold;
    }

    private ObservedLock lock(String resource) {
        return locks.computeIfAbsent(resource, unknown -> new ObservedLock());
    }

    /** Returns the number of entries. */
    public long entries() {
        return entries.sum();
    }

    /** Returns the names of all locks, sorted. */
    public Collection<String> resources() {
        return new ConcurrentSkipListSet<>(locks.keySet());
    }
}
