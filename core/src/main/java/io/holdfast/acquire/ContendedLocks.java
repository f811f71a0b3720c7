package io.holdfast.acquire;

import io.holdfast.time.Moment;
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
    private record Contention(long hash, Moment last) {}

    /** Records that another client had the lock until now. */
    void met(String resource, Moment now) {
        slots.set(slot(resource), new Contention(hash(resource), now));
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
                && known.hash() == hash(resource)
                && now.since(known.last()).compareTo(REMEMBERED) < 0;
    }

    private static int slot(String resource) {
        return Math.floorMod(resource.hashCode(), SLOTS);
    }

    /** Returns a hash of 64 bits (FNV-1a): a lock that has it by chance counts as contended, which costs little. */
    private static long hash(String resource) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < resource.length(); i++) {
            hash = (hash ^ resource.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
