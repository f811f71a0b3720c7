package io.holdfast.stress.witness;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Judges who is inside. Callers report the name, the token and the validity of what they were granted; the witness trusts nothing else.
 *
 * <p>A holder counts as inside from its report until it reports that it leaves, or until its validity ends. An overlap is reported only
 * if both holders confirm their validity after the second one has entered, so a machine that pauses causes no false report.
 */
public final class Witness {

    private final Findings findings;
    private final Map<String, Place> places = new ConcurrentHashMap<>();
    private final LongAdder entries = new LongAdder();

    public Witness(Findings findings) {
        this.findings = findings;
    }

    /** The greatest token of the resource so far. What an acquire is granted that begins from now on has to be above it. */
    public long floor(String resource) {
        return place(resource).highest();
    }

    /**
     * A holder enters with a new grant.
     *
     * @param floor what {@link #floor} said before the acquire began
     * @param validUntil until when the holder may rely on the grant, by {@link System#nanoTime}; in the past once that has ended
     */
    public Stay enter(String resource, long token, long floor, boolean shared, LongSupplier validUntil) {
        entries.increment();
        Stay stay = new Stay(place(resource), resource, token, shared, validUntil);
        place(resource).granted(stay, floor, findings);
        return stay;
    }

    /**
     * Another holder enters with a grant that was passed on to it. All who have the token are inside together.
     *
     * @param begun when it began to ask for that, by {@link System#nanoTime}
     */
    public Stay attach(String resource, long token, long begun, boolean shared, LongSupplier validUntil) {
        entries.increment();
        Stay stay = new Stay(place(resource), resource, token, shared, validUntil);
        place(resource).resumed(stay, begun, findings);
        return stay;
    }

    /** A holder enters a pool, where so many may be inside. Its tokens belong to what the pool is made of. */
    public Stay enterPool(String pool, int permits, LongSupplier validUntil) {
        Stay stay = new Stay(place(pool), pool, 0, false, validUntil);
        place(pool).counted(stay, permits, findings);
        return stay;
    }

    private Place place(String resource) {
        return places.computeIfAbsent(resource, unknown -> new Place());
    }

    /** How often a holder has entered. */
    public long entries() {
        return entries.sum();
    }

    /** The names of everything that was asked for, in their order. */
    public Collection<String> resources() {
        return new ConcurrentSkipListSet<>(places.keySet());
    }

    /** Forgets those inside; for the time between two epochs, when nobody is. Returns who had not left. */
    public Collection<String> clear() {
        Collection<String> inside = new ArrayList<>();
        places.values().forEach(place -> inside.addAll(place.clear()));
        return inside;
    }
}
