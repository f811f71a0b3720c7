package io.holdfast.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The groups into which meters and observations put locks. Names of locks contain ids, so a tag with the whole name
 * would have an unbounded number of values.
 *
 * <p>The number of groups is bounded: a name that would make one more group belongs to {@value #OTHER}. Groups are
 * never forgotten.
 *
 * <p>Thread-safe. One object can be given to {@link HoldfastMetrics} and {@link HoldfastObservations}, which then agree
 * on the groups.
 */
public final class LockGroups {

    /** The group of the names for which there is no other group. */
    public static final String OTHER = "other";

    /** The number of groups by default, without {@value #OTHER}. */
    public static final int DEFAULT_LIMIT = 100;

    private final UnaryOperator<String> grouping;
    private final int limit;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    private LockGroups(UnaryOperator<String> grouping, int limit) {
        this.grouping = grouping;
        this.limit = limit;
    }

    /**
     * Returns groups by the part of the name before the first colon, such as {@code order} of {@code order:42}; at most
     * 100.
     */
    public static LockGroups beforeColon() {
        return beforeColon("");
    }

    /**
     * Groups names by their part before the first colon, after the prefix if they begin with it; at most {@value
     * #DEFAULT_LIMIT} groups.
     */
    public static LockGroups beforeColon(String prefix) {
        return by(name -> partBeforeColon(withoutPrefix(name, prefix)), DEFAULT_LIMIT);
    }

    /**
     * Returns groups by a function of the name of the lock.
     *
     * @param grouping returns the group of a name; an empty one means {@value #OTHER}, as do null and an exception,
     *     which is logged. Must be thread-safe
     * @param limit the number of groups without {@value #OTHER}, at least 1
     * @throws IllegalArgumentException if the limit is below 1
     */
    public static LockGroups by(UnaryOperator<String> grouping, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit " + limit + " is below 1; give the number of groups, such as "
                    + DEFAULT_LIMIT + ", or group all names under one");
        }
        return new LockGroups(grouping, limit);
    }

    private static String withoutPrefix(String name, String prefix) {
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }

    private static String partBeforeColon(String resource) {
        int colon = resource.indexOf(':');
        return colon < 0 ? resource : resource.substring(0, colon);
    }

    /** Returns the group of a lock. */
    public String of(String resource) {
        // The caller is an acquisition or a meter, which a function of the application must not end.
        String group = HandlerGuard.get(OTHER, () -> grouping.apply(resource));
        if (group == null || group.isEmpty() || group.equals(OTHER)) {
            return OTHER;
        }
        return known.contains(group) || add(group) ? group : OTHER;
    }

    private synchronized boolean add(String group) {
        return known.contains(group) || (known.size() < limit && known.add(group));
    }
}
