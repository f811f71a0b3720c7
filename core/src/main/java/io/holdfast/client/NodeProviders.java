package io.holdfast.client;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The Redis clients from which {@code Holdfast.connect} chooses, and the reasons why others cannot be used. */
public final class NodeProviders implements NodeProvider {

    /** The service loader repeats some failures without end, such as that of an unreadable class path. */
    private static final int MAX_PROVIDERS = 100;

    private final List<NodeProvider> providers = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    private NodeProviders() {}

    /** Returns the Redis client that the user has chosen. */
    public static NodeProviders of(NodeProvider chosen) {
        NodeProviders only = new NodeProviders();
        only.providers.add(chosen);
        return only;
    }

    /**
     * Returns the Redis clients that the service loader finds.
     *
     * @throws IllegalStateException if there is none that can be used
     */
    public static NodeProviders find() {
        return find(Thread.currentThread().getContextClassLoader(), NodeProvider.class.getClassLoader());
    }

    static NodeProviders find(@Nullable ClassLoader context, ClassLoader own) {
        NodeProviders found = new NodeProviders();
        found.add(ServiceLoader.load(NodeProvider.class, context));
        if (!own.equals(context)) {
            // The context class loader of a pool's thread may not see the application, or may see another copy of
            // Holdfast.
            found.add(ServiceLoader.load(NodeProvider.class, own));
        }
        if (found.providers.isEmpty()) {
            throw found.noneWorks();
        }
        return found;
    }

    private void add(ServiceLoader<NodeProvider> loader) {
        Iterator<NodeProvider> all = loader.iterator();
        for (int i = 0; i < MAX_PROVIDERS; i++) {
            try {
                if (!all.hasNext()) {
                    return;
                }
                addNew(all.next());
            } catch (ServiceConfigurationError | LinkageError unusable) {
                failures.add(unusable);
            }
        }
    }

    /** The two class loaders may have found the same class. */
    private void addNew(NodeProvider provider) {
        if (providers.stream().noneMatch(known -> known.getClass().equals(provider.getClass()))) {
            providers.add(provider);
        }
    }

    @Override
    public boolean supports(String scheme) {
        return providers.stream().anyMatch(provider -> provider.supports(scheme));
    }

    /** Returns {@code true} if one client supports the schemes of all addresses. */
    public boolean supportAll(List<NodeAddress> addresses) {
        return providers.stream().anyMatch(provider -> supportsAll(provider, addresses));
    }

    private static boolean supportsAll(NodeProvider provider, List<NodeAddress> addresses) {
        return addresses.stream().allMatch(address -> provider.supports(address.scheme()));
    }

    /**
     * Connects with the first client that supports all addresses and whose classes are there.
     *
     * @throws IllegalArgumentException if no client supports all of them
     * @throws IllegalStateException if the classes of all of them are incomplete
     */
    @Override
    public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
        for (NodeProvider provider : providers) {
            if (supportsAll(provider, addresses)) {
                try {
                    return List.copyOf(provider.connect(addresses, settings, time));
                } catch (NoClassDefFoundError missing) {
                    failures.add(new IllegalStateException(provider.getClass().getName() + " lacks a class", missing));
                }
            }
        }
        throw supportAll(addresses) ? noneWorks() : new IllegalArgumentException("No client connects to all addresses");
    }

    private IllegalStateException noneWorks() {
        if (failures.isEmpty()) {
            return new IllegalStateException(
                    "No Redis client for Holdfast on the class path; add the artifact io.holdfast:holdfast-lettuce"
                            + " or io.holdfast:holdfast-jedis");
        }
        String tried = failures.stream().map(NodeProviders::text).distinct().collect(Collectors.joining(", "));
        IllegalStateException none = new IllegalStateException("No Redis client for Holdfast works; tried: " + tried
                + "; add the artifact io.holdfast:holdfast-lettuce or io.holdfast:holdfast-jedis with all that it"
                + " depends on, and let the application have one copy of Holdfast");
        failures.forEach(none::addSuppressed);
        return none;
    }

    private static String text(Throwable failure) {
        return failure.getCause() == null ? failure.toString() : failure.getMessage() + ": " + failure.getCause();
    }
}
