package io.holdfast.stress.client;

import io.holdfast.Holdfast;
import io.holdfast.acquire.LocalWaiters;
import io.holdfast.client.LockClient;
import io.holdfast.hold.HoldRegistry;
import io.holdfast.locks.OwnedLock;
import io.holdfast.quarantine.QuarantineWatch;
import io.holdfast.quorum.NodeGroup;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the elements of the maps and collections of a client, by reflection: waiters, leases, rounds, pending
 * releases. The library has no method for this, and needs none.
 */
public final class ClientInternals {

    /** The packages whose objects belong to one client, named by classes so that a moved class does not compile. */
    private static final Set<String> PACKAGES = Stream.of(
                    Holdfast.class,
                    LockClient.class,
                    LocalWaiters.class,
                    HoldRegistry.class,
                    NodeGroup.class,
                    QuarantineWatch.class,
                    OwnedLock.class)
            .map(Class::getPackageName)
            .collect(Collectors.toUnmodifiableSet());

    /** The time slots of the timers, which remain until their time has come even if their timers were cancelled. */
    private static final String SLOTS = "SharedTimers.slots";

    /** Fields that every client has. One that is not reached was renamed or moved, and its leaks would be missed. */
    private static final Set<String> REQUIRED = Set.of(
            SLOTS,
            "LocalWaiters.locks",
            "PendingAcquisitions.all",
            "HoldRegistry.live",
            "HoldRegistry.due",
            "Cleanup.underWay",
            "Cleanup.unanswered",
            "WakeUpInbox.waiters",
            "OwnerTable.entries");

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private final Set<String> fields = new HashSet<>();
    private final Map<String, Integer> sizes = new TreeMap<>();

    private ClientInternals() {}

    /**
     * Returns the numbers of elements by class and field, without the empty ones.
     *
     * @throws IllegalStateException if a field that every client has is not reached
     */
    public static Map<String, Integer> of(Client client) {
        return of(client, REQUIRED);
    }

    public static Map<String, Integer> of(Client client, Set<String> required) {
        ClientInternals internals = new ClientInternals();
        internals.visit(client.holdfast());
        internals.visit(client.threadLock());
        internals.visit(client.readWriteLock());
        internals.visit(client.ownedLock());
        while (!internals.open.isEmpty()) {
            internals.scan(internals.open.remove());
        }
        internals.requireFields(required);
        return internals.sizes;
    }

    private void requireFields(Set<String> required) {
        Set<String> missing = new TreeSet<>(required);
        missing.removeAll(fields);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("No such fields are reached from a client: " + missing
                    + "; give ClientInternals their new names and packages");
        }
    }

    private void visit(@Nullable Object object) {
        if (object != null && !object.getClass().isHidden() && isOfClient(object.getClass()) && seen.add(object)) {
            open.add(object);
        }
    }

    private static boolean isOfClient(Class<?> type) {
        return PACKAGES.contains(type.getPackageName());
    }

    private void scan(Object object) {
        for (Class<?> type = object.getClass(); type != null && isOfClient(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    String name = type.getSimpleName() + "." + field.getName();
                    fields.add(name);
                    count(name, value(field, object));
                }
            }
        }
    }

    private static @Nullable Object value(Field field, Object object) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private void count(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            count(name, map.values());
        } else if (value instanceof Iterable<?> all) {
            List<?> elements = copy(all);
            if (!elements.isEmpty() && !name.equals(SLOTS)) {
                sizes.merge(name, elements.size(), Integer::sum);
            }
            elements.forEach(this::visit);
        } else {
            visit(value);
        }
    }

    /** Returns an empty list if a thread of the client is changing the collection; the caller checks again later. */
    private static List<?> copy(Iterable<?> all) {
        try {
            List<Object> elements = new ArrayList<>();
            all.forEach(elements::add);
            return elements;
        } catch (ConcurrentModificationException busy) {
            return List.of();
        }
    }
}
