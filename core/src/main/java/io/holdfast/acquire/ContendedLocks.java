package io.holdfast.acquire;

import io.holdfast.time.Moment;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The locks that other clients have had lately when this client asked for them. Its next waiter for such a lock enters
 * the wait queues of the nodes with its first claim. A lock may be forgotten early, which costs that waiter another
 * claim.
 *
 * <p>Thread-safe. Takes bounded memory, however many locks there are, and retains no name.
 */
final class ContendedLocks {

    private static final int SLOTS = 1024;

    /** The time for which a lock counts as contended. */
    private static final Duration REMEMBERED = Duration.ofSeconds(1);

    /** By the hash of the name, of which the latest counts. */
    private final AtomicReferenceArray<@Nullable Contention> slots = new AtomicReferenceArray<>(SLOTS);

    /** The last moment at which another client had the lock. */
    private record Contention(WeakReference<String> resource, Moment last) {}

    /** Records that another client had the lock until now. */
    void met(String resource, Moment now) {
        slots.set(slot(resource), new Contention(new WeakReference<>(resource), now));
    }

    /** Records that the lock was free. */
    void wasFree(String resource) {
        int slot = slot(resource);
        if (slots.get(slot) != null) {
            slots.set(slot, null);
        }
    }

    /** Returns {@code true} if another client has had the lock lately. */
    boolean contains(String resource, Moment now) {
        Contention known = slots.get(slot(resource));
        return known != null
                && resource.equals(known.resource().get())
                && now.since(known.last()).compareTo(REMEMBERED) < 0;
    }

    private static int slot(String resource) {
        return Math.floorMod(resource.hashCode(), SLOTS);
    }
}
