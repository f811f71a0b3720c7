package io.holdfast.redis.keys;

import java.util.List;

/**
 * The keys of one resource. The lock has the name of the resource, so that any client contends on it. What Holdfast keeps
 * beside it has the same hash tag, so that a cluster keeps both on one server. The marker is one for the whole node.
 *
 * @param lock the owner, with the lease as time to live
 * @param fence the greatest fencing token that was accepted, in decimal
 * @param marker a hash: what the node keeps about itself
 * @param line a sorted set: the inboxes of clients that wait, by the numbers of their tickets
 * @param called the inbox of the client for which the lock, now free, is kept for a short time
 * @param beside where the lock's key does not name the owner, this one does
 * @param shares a sorted set: the owners who hold the lock shared, by when their shares end
 * @param note what the holder has written about itself
 */
public record Keys(
        String lock,
        String fence,
        String marker,
        String line,
        String called,
        String beside,
        String shares,
        String note) {

    /** In place of an owner while a lock is held shared; the scripts call it the same. */
    public static final String SHARED = "holdfast:shared";

    private static final String FENCE = ":holdfast:fence";

    /** A hash: what the node keeps about itself, its quarantine and its fences. */
    public static final String MARKER = "holdfast:marker";

    /** The channel on which a client hears what is sent to its inbox. */
    public static String channel(String inbox) {
        return "holdfast:inbox:" + inbox;
    }

    public static Keys of(String resource) {
        return of(resource, MARKER);
    }

    /** A shard of a cluster has a marker for each of its slots, since a script has all its keys in one. */
    public static Keys inCluster(String resource) {
        return of(resource, MARKER + ":{" + HashSlot.tag(HashSlot.of(resource)) + "}");
    }

    /** The resource of which this is the fence. */
    public static String resource(String fenceKey) {
        String stem = fenceKey.substring(0, fenceKey.length() - FENCE.length());
        return stem.endsWith(":") ? stem.substring(0, stem.length() - 1) : stem.substring(1, stem.length() - 1);
    }

    /** Whether all keys of the resource lie in one slot. */
    public static boolean areTogether(String resource) {
        return HashSlot.of(Keys.of(resource).fence()) == HashSlot.of(resource);
    }

    private static Keys of(String resource, String marker) {
        String stem = canBeTag(resource) ? "{" + resource + "}" : resource + ":";
        return new Keys(
                resource,
                stem + FENCE,
                marker,
                stem + ":holdfast:line",
                stem + ":holdfast:called",
                stem + ":holdfast:owner",
                stem + ":holdfast:shares",
                stem + ":holdfast:note");
    }

    /** In the order of the scripts. */
    public List<String> all() {
        return List.of(lock, fence, marker, line, called);
    }

    public List<String> allWithShares() {
        return List.of(lock, fence, marker, line, called, shares);
    }

    /**
     * Whether the name hashes the same between braces as by itself. One with a hash tag of its own keeps that tag. (What has
     * braces but no tag, such as {@code a}b}, cannot have a second key in the same slot of a cluster.)
     *
     * @see <a href="https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags">Hash tags</a>
     */
    private static boolean canBeTag(String resource) {
        return resource.indexOf('{') < 0 && resource.indexOf('}') < 0;
    }
}
