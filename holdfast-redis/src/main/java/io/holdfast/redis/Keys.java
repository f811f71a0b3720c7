package io.holdfast.redis;

/**
 * The keys of one resource. The lock has the name of the resource, so that any client contends on it. What Holdfast keeps
 * beside it has the same hash tag, so that a cluster keeps both on one server. The marker is one for the whole node.
 *
 * @param lock the owner, with the lease as time to live
 * @param fence the greatest fencing token that was accepted, in decimal
 */
record Keys(String lock, String fence) {

    /** A hash: what the node keeps about itself, its quarantine and its fences. */
    static final String MARKER = "holdfast:marker";

    static Keys of(String resource) {
        String stem = canBeTag(resource) ? "{" + resource + "}" : resource + ":";
        return new Keys(resource, stem + ":holdfast:fence");
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
