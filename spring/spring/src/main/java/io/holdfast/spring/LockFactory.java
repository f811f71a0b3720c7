package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.spring.use.LockKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * The source of the locks of an application: it adds a common prefix to their names, and chooses their options by name.
 * Annotated methods and leaders get their locks here; code that locks by itself can do the same.
 *
 * <p>Immutable and thread-safe, as far as the function of the options is.
 */
public final class LockFactory {

    private final Holdfast holdfast;
    private final String prefix;
    private final Function<String, LockOptions> options;
    private final InstantSource clock;

    /** Creates a factory without a prefix, whose locks have the options {@link LockOptions#DEFAULT}. */
    public LockFactory(Holdfast holdfast) {
        this(holdfast, "", name -> LockOptions.DEFAULT);
    }

    /**
     * Creates a factory.
     *
     * @param prefix the beginning of the name of each lock on the nodes; may be empty
     * @param options returns the options of a lock by its name without the prefix; called on any thread
     */
    public LockFactory(Holdfast holdfast, String prefix, Function<String, LockOptions> options) {
        this(holdfast, prefix, options, InstantSource.system());
    }

    private LockFactory(Holdfast holdfast, String prefix, Function<String, LockOptions> options, InstantSource clock) {
        this.holdfast = holdfast;
        this.prefix = prefix;
        this.options = options;
        this.clock = clock;
    }

    /** Returns this factory with another clock for methods that succeed once per period; for tests. */
    public LockFactory withClock(InstantSource other) {
        return new LockFactory(holdfast, prefix, options, other);
    }

    /**
     * Returns the lock of this name with its options. Does not ask the nodes.
     *
     * @throws IllegalArgumentException if the name is not valid, see {@link Holdfast#lock(String, LockOptions)}
     */
    public DistributedLock lock(String name) {
        return lock(name, options(name));
    }

    /**
     * Returns the lock of this name with these options. Does not ask the nodes.
     *
     * @throws IllegalArgumentException if the name is not valid, or the lease is longer than {@link
     *     HoldfastOptions#maxLease}
     */
    public DistributedLock lock(String name, LockOptions with) {
        return holdfast.lock(prefix + name, with);
    }

    /** Returns the options of the lock of this name, without the prefix. */
    public LockOptions options(String name) {
        return options.apply(name);
    }

    /** Returns what distinguishes this lock from those of the same name of other clients. */
    LockKey key(DistributedLock lock) {
        return new LockKey(holdfast, lock.resource());
    }

    InstantSource clock() {
        return clock;
    }

    /** Returns the longest lease, and the longest time for which a released lock can be kept. */
    Duration maxLease() {
        return holdfast.longestLease();
    }
}
