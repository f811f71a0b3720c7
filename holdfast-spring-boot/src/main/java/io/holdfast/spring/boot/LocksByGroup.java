package io.holdfast.spring.boot;

import io.holdfast.LockOptions;
import io.holdfast.LockOptionsBuilder;
import io.holdfast.spring.LockFactory;
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

    LocksByGroup(HoldfastProperties properties) {
        this.defaults = options("holdfast.lock", LockFactory.DEFAULT, properties.lock());
        properties
                .locks()
                .forEach((group, lock) -> groups.put(group, options("holdfast.locks." + group, defaults, lock)));
    }

    private static LockOptions options(String property, LockOptions defaults, HoldfastProperties.Lock lock) {
        LockOptionsBuilder options = defaults.toBuilder();
        set(lock.waitLimit(), options::waitLimit);
        set(lock.unreachableLimit(), options::unreachableLimit);
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
