package io.holdfast.stress;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much is in the maps and collections of a client, by reflection: waiters, leases, rounds, releases that are still being sent. No
 * method of the library says so, and none should.
 */
final class Insides {

    private static final Set<String> PACKAGES = Set.of("io.holdfast", "io.holdfast.quorum", "io.holdfast.locks");

    /** The times at which alarms were to ring: each is dropped when it comes, though nothing rings any more. */
    private static final Set<String> KEPT = Set.of("Alarms.slots");

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private final Map<String, Integer> sizes = new TreeMap<>();

    private Insides() {}

    /** By class and field how many elements there are, where there are any. */
    static Map<String, Integer> of(Client client) {
        Insides insides = new Insides();
        insides.visit(client.holdfast());
        insides.visit(client.threadLock());
        insides.visit(client.readWriteLock());
        insides.visit(client.ownedLock());
        while (!insides.open.isEmpty()) {
            insides.look(insides.open.remove());
        }
        return insides.sizes;
    }

    private void visit(@Nullable Object object) {
        if (object == null || object.getClass().isHidden()) {
            return;
        }
        if (PACKAGES.contains(object.getClass().getPackageName()) && seen.add(object)) {
            open.add(object);
        }
    }

    private void look(Object object) {
        for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    note(type.getSimpleName() + "." + field.getName(), value(field, object));
                }
            }
        }
    }

    private static @Nullable Object value(Field field, Object object) {
        try {
            return field.trySetAccessible() ? field.get(object) : null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private void note(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            note(name, map.values());
        } else if (value instanceof Collection<?> all) {
            List<?> elements = copy(all);
            if (!elements.isEmpty() && !KEPT.contains(name)) {
                sizes.merge(name, elements.size(), Integer::sum);
            }
            elements.forEach(this::visit);
        } else {
            visit(value);
        }
    }

    /** What a thread of the client is changing at this moment is looked at again later. */
    private static List<?> copy(Collection<?> all) {
        try {
            return new ArrayList<>(all);
        } catch (ConcurrentModificationException busy) {
            return List.of();
        }
    }
}
