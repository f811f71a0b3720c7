package io.holdfast;

import io.holdfast.node.NodeAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Checks of options. A failure names the option, its value, the rule and the remedy. */
final class OptionChecks {

    static final Duration MIN_LEASE = Duration.ofMillis(10);

    private OptionChecks() {}

    static void that(boolean holds, String name, Duration value, String rule, String remedy) {
        if (!holds) {
            throw failure(name, value, rule, remedy);
        }
    }

    /** Returns the failure itself, for a rule whose text would be composed in vain with each valid option. */
    static IllegalArgumentException failure(String name, Duration value, String rule, String remedy) {
        return new IllegalArgumentException(name + " " + value + " " + rule + "; " + remedy);
    }

    /** Checks a duration for which the nodes shall keep a lock without a renewal. */
    static void lease(String name, Duration lease) {
        atLeastShortest(name, lease);
        if (lease.compareTo(LockOptions.MAX_LEASE) > 0) {
            throw failure(
                    name,
                    lease,
                    "is longer than " + LockOptions.MAX_LEASE,
                    "for a longer hold leave renewal on; a lease only has to outlast an outage of the nodes");
        }
    }

    /** Checks a duration whose upper bound is checked elsewhere. */
    static void atLeastShortest(String name, Duration lease) {
        if (given(name, lease).compareTo(MIN_LEASE) < 0) {
            throw failure(name, lease, "is shorter than " + MIN_LEASE, "give at least " + MIN_LEASE);
        }
    }

    /**
     * Returns the executor; throws if it runs tasks on the calling thread, which may hold locks of the client, or if it
     * drops tasks, such as the delivery of a lease, which would then be renewed without a holder.
     */
    static Executor leavingCaller(Executor executor) {
        if (executor instanceof ThreadPoolExecutor pool && drops(pool.getRejectedExecutionHandler())) {
            throw new IllegalArgumentException("callbackExecutor " + executor
                    + " drops tasks that it has no room for, and a lease with them; give it an AbortPolicy, so that "
                    + "the client runs them");
        }
        Thread caller = Thread.currentThread();
        AtomicBoolean stayed = new AtomicBoolean();
        try {
            executor.execute(() -> stayed.set(Thread.currentThread().equals(caller)));
        } catch (RuntimeException | Error rejected) {
            // The executor may reject tasks, which then run on threads of the client.
            return executor;
        }
        if (stayed.get()) {
            throw new IllegalArgumentException("callbackExecutor " + executor
                    + " runs tasks on the calling thread, which may hold locks of the client; give one that has "
                    + "threads, such as Executors.newCachedThreadPool()");
        }
        return executor;
    }

    private static boolean drops(RejectedExecutionHandler handler) {
        return handler instanceof ThreadPoolExecutor.DiscardPolicy
                || handler instanceof ThreadPoolExecutor.DiscardOldestPolicy;
    }

    /**
     * Returns the value; throws if a caller without null checks gives null, which would fail later on another thread.
     */
    static <T> T given(String name, @Nullable T value) {
        if (value == null) {
            throw new NullPointerException(name + " is null; give a " + name);
        }
        return value;
    }

    /** Returns the hosts in these texts. */
    static Map<NodeAddress.Host, NodeAddress.Host> addressMap(Map<String, String> texts) {
        Map<NodeAddress.Host, NodeAddress.Host> hosts = new HashMap<>();
        texts.forEach((named, reached) -> hosts.put(host(named), host(reached)));
        return Map.copyOf(hosts);
    }

    private static NodeAddress.Host host(String text) {
        try {
            return NodeAddress.Host.parse(given("host", text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("addressMap contains '" + text.substring(text.lastIndexOf('@') + 1)
                    + "': " + e.getMessage() + "; write a host with or without a port, such as 10.0.0.5:6379");
        }
    }
}
