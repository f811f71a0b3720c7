package io.holdfast.redis.keys;

import io.holdfast.node.ResourceName;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one resource. The lock's key is the {@linkplain ResourceName key of its name}, which
 * any Redlock client can contend for.
 * The other keys of the resource have the same hash tag, so that a cluster keeps all of them on one server. A node has
 * one marker.
 *
 * @param lock the owner, with the lease as time to live
 * @param fence the greatest fencing token that was accepted, in decimal
 * @param marker a hash: the state of the node's quarantine and the bounds of its fences
 * @param queue a sorted set: the entries of waiters, by ticket number
 * @param reservation the entries of the notified waiters for which the free lock is reserved
 * @param owner the owner, where the lock's value does not contain it
 * @param sharedHolders a sorted set: the owners that hold the lock shared, by the ends of their holds
 * @param claims a hash: the standing claims of waiters
 * @param note a description that the holder wrote about itself
 * @param record a text that the last holder wrote for the next one
 */
public record Keys(
        String lock,
        String fence,
        String marker,
        String queue,
        String reservation,
        String owner,
        String sharedHolders,
        String claims,
        String note,
        String record) {

    private static final String FENCE = ":holdfast:fence";

    /** A hash: the state of the node's quarantine and the bounds of its fences. */
    public static final String MARKER = "holdfast:marker";

    /** A sorted set: the names of the locks that have a record, by the ends of these records. */
    public static final String RECORDS = "holdfast:records";

    /** The beginning of the name of each channel. */
    public static final String INBOX_PREFIX = "holdfast:inbox:";

    /** Returns the key of what a client says about itself. */
    public static String client(String id) {
        return "holdfast:client:" + id;
    }

    /** Returns the channel on which a client receives the wake-ups that are sent to its inbox. */
    public static String channel(String inbox) {
        return INBOX_PREFIX + inbox;
    }

    /** Returns the keys of the resource on a node that is one server. */
    public static Keys of(String resource) {
        return of(resource, MARKER);
    }

    /**
     * Returns a function that remembers its last result until the garbage collector runs: a client often asks for the
     * keys of one lock again, and retains no name.
     */
    public static Function<String, Keys> remembering(Function<String, Keys> keysOf) {
        AtomicReference<@Nullable WeakReference<Keys>> last = new AtomicReference<>();
        return resource -> {
            WeakReference<Keys> reference = last.get();
            Keys known = reference == null ? null : reference.get();
            if (known == null || !known.lock().equals(resource)) {
                known = keysOf.apply(resource);
                last.set(new WeakReference<>(known));
            }
            return known;
        };
    }

    /**
     * Returns the keys of the resource in a cluster, with a marker for each slot: all keys of a script must lie in one
     * slot.
     */
    public static Keys inCluster(String resource) {
        return of(resource, MARKER + ":{" + HashSlot.tag(HashSlot.of(resource)) + "}");
    }

    /** Returns the resource to which the fence key belongs, or empty if no client of Holdfast has made the key. */
    public static Optional<String> lockName(String fenceKey) {
        if (!fenceKey.endsWith(FENCE) || fenceKey.length() < FENCE.length() + 2) {
            return Optional.empty();
        }
        String stem = fenceKey.substring(0, fenceKey.length() - FENCE.length());
        String key = stem.endsWith(":") ? stem.substring(0, stem.length() - 1) : stem.substring(1, stem.length() - 1);
        return Optional.of(key).filter(ResourceName::isKey);
    }

    /** Returns {@code true} if all keys of the resource lie in one slot of a cluster. */
    public static boolean fitInOneSlot(String resource) {
        return HashSlot.of(Keys.of(resource).fence()) == HashSlot.of(resource);
    }

    private static Keys of(String resource, String marker) {
        String stem = canBeTag(resource) ? "{" + resource + "}" : resource + ":";
        return new Keys(
                resource,
                stem + FENCE,
                marker,
                stem + ":holdfast:queue",
                stem + ":holdfast:reserved",
                stem + ":holdfast:owner",
                stem + ":holdfast:holders",
                stem + ":holdfast:claims",
                stem + ":holdfast:note",
                stem + ":holdfast:record");
    }

    /** Returns the rules of {@code ACL SETUSER} that allow a user these keys. */
    public String rights() {
        String sides = fence.substring(0, fence.length() - FENCE.length());
        return "~" + escaped(lock) + " ~" + escaped(sides) + ":holdfast:* ~holdfast:*";
    }

    /** Escapes the characters that have a meaning in a key pattern. */
    private static String escaped(String key) {
        return key.replaceAll("[\\\\*?\\[\\]]", "\\\\$0");
    }

    /** Returns the keys of a script that concerns the whole node; only the third one is used. */
    public static List<String> ofNode() {
        return List.of(MARKER, MARKER, MARKER);
    }

    /** Returns the keys of the scripts that concern only one holder, in their order. */
    public List<String> forHolder() {
        return List.of(lock, fence, marker);
    }

    /** Returns the keys of one of several locks, in their order, without the marker. */
    public List<String> forBatch() {
        return List.of(lock, fence, queue, reservation, sharedHolders, claims);
    }

    /** Returns the keys of the scripts for records, in their order; in a cluster, without the list of records. */
    public List<String> forRecord() {
        return marker.equals(MARKER)
                ? List.of(lock, fence, marker, record, RECORDS)
                : List.of(lock, fence, marker, record);
    }

    /** Returns the keys of the script that stores a note, in their order. */
    public List<String> forNote() {
        return List.of(lock, sharedHolders, note);
    }

    /** Returns the keys of the scripts that concern holders and waiters, in their order. */
    public List<String> forAll() {
        return List.of(lock, fence, marker, queue, reservation, sharedHolders, claims);
    }

    /**
     * Returns {@code true} if the name between braces has the same hash as without them. A name with a hash tag keeps
     * its tag. A name with braces but no tag, such as {@code a}b}, cannot have a second key in its slot.
     *
     * @see <a href="https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags">Hash tags</a>
     */
    private static boolean canBeTag(String resource) {
        return resource.indexOf('{') < 0 && resource.indexOf('}') < 0;
    }
}
