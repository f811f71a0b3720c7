package io.holdfast.spring.boot;

import io.holdfast.LockOptions;
import io.holdfast.LockOptionsBuilder;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The options of locks by their names: {@code holdfast.lock}, and on top {@code holdfast.locks.<group>}. Immutable. */
final class LocksByGroup implements Function<String, LockOptions> {

    private final LockOptions defaults;
    /** The longest group first, so that {@code order:express} goes before {@code order}. */
    private final Map<String, LockOptions> groups =
            new TreeMap<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    /**
     * Reads the properties.
     *
     * @param maxLease the longest lease of the client
     * @throws ConfigurationException if options contradict each other, or a lease is longer
     */
    LocksByGroup(HoldfastProperties properties, Duration maxLease) {
        this.defaults = options("holdfast.lock", LockOptions.DEFAULT, properties.lock());
        properties
                .locks()
                .forEach((group, lock) -> groups.put(group, options("holdfast.locks." + group, defaults, lock)));
        requireLease("holdfast.lock", defaults, maxLease);
        groups.forEach((group, options) -> requireLease("holdfast.locks." + group, options, maxLease));
    }

    /** Without this check, the application would start, and each of these locks would be refused. */
    private static void requireLease(String property, LockOptions options, Duration maxLease) {
        if (options.lease().compareTo(maxLease) > 0) {
            throw new ConfigurationException(
                    "The lease of locks, " + options.lease().toMillis() + " ms, is longer than holdfast.max-lease, "
                            + maxLease.toMillis() + " ms",
                    "Set " + property + ".lease to at most " + maxLease.toMillis()
                            + "ms, or raise holdfast.max-lease for all clients of the nodes.",
                    null);
        }
    }

    private static LockOptions options(String property, LockOptions defaults, HoldfastProperties.Lock lock) {
        LockOptionsBuilder options = defaults.toBuilder();
        set(lock.waitLimit(), options::waitLimit);
        set(lock.lease(), options::lease);
        set(lock.holdLimit(), options::holdLimit);
        set(lock.nodeTimeout(), options::nodeTimeout);
        set(lock.fair(), options::fair);
        try {
            return options.build();
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "The options of locks are not valid: " + e.getMessage(), "Correct " + property + ".*.", e);
        }
    }

    private static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }

    @Override
    public LockOptions apply(String name) {
        return groups.entrySet().stream()
                .filter(group -> name.equals(group.getKey()) || name.startsWith(group.getKey() + ":"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(defaults);
    }
}
