package io.holdfast;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.security.ConnectionSecurity;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The options of one client: the values on which all clients of the same nodes must agree, and the way in which this
 * client connects.
 *
 * <p>A {@link #builder} collects the values and checks them. Immutable and thread-safe.
 */
public final class HoldfastOptions {

    private static final int SMALLEST_GUARDED = 3;
    private static final int MAX_REPLICAS = 100;

    /** The defaults: leases of up to 1 min, a quarantine from three nodes on, 2 s to connect, no replicas. */
    public static final HoldfastOptions DEFAULT = builder().build();

    private final HoldfastOptionsBuilder values;

    HoldfastOptions(HoldfastOptionsBuilder values) {
        this.values = values;
        OptionChecks.lease("maxLease", values.maxLease);
        OptionChecks.lease("previousMaxLease", previousMaxLease());
        if (values.connectTimeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "connectTimeout " + values.connectTimeout + " is below 1 ms; give a duration such as 2 s");
        }
        if (values.replicas < 0 || values.replicas > MAX_REPLICAS) {
            throw new IllegalArgumentException("replicas " + values.replicas + " is out of range; give 0 to "
                    + MAX_REPLICAS + ", at most as many as each node has");
        }
    }

    /** Returns a builder with the default values. */
    public static HoldfastOptionsBuilder builder() {
        return new HoldfastOptionsBuilder();
    }

    /** Returns a builder with the values of these options. */
    public HoldfastOptionsBuilder toBuilder() {
        return values.copy();
    }

    /**
     * Returns the longest lease that any client of the nodes may request; see {@link HoldfastOptionsBuilder#maxLease}.
     */
    public Duration maxLease() {
        return values.maxLease;
    }

    /** Returns the addresses of the nodes that were used before; see {@link HoldfastOptionsBuilder#previousNodes}. */
    public List<String> previousNodes() {
        return values.previousNodes;
    }

    /** Returns the longest lease that any client of the previous nodes may request. */
    public Duration previousMaxLease() {
        return Objects.requireNonNullElse(values.previousMaxLease, values.maxLease);
    }

    /** Returns the behaviour of a restarted node. */
    public RestartPolicy restarts() {
        return values.restarts;
    }

    /** Returns {@code true} if a restarted node waits for other nodes to report fencing tokens; see the builder. */
    public boolean strictFences() {
        return values.strictFences;
    }

    /** Returns the longest time that {@code connect} waits for the first connections. */
    public Duration connectTimeout() {
        return values.connectTimeout;
    }

    /** Returns the number of replicas that must confirm a lock; see {@link HoldfastOptionsBuilder#replicas}. */
    public int replicas() {
        return values.replicas;
    }

    /**
     * Returns what this client is called where others look up holders and waiters; see {@link
     * HoldfastOptionsBuilder#name}.
     */
    public Optional<String> name() {
        return Optional.ofNullable(values.name);
    }

    /**
     * Returns the executor of callbacks; empty: threads of the client. See {@link
     * HoldfastOptionsBuilder#callbackExecutor}.
     */
    public Optional<Executor> callbackExecutor() {
        return Optional.ofNullable(values.callbackExecutor);
    }

    /** Returns TLS and credentials, as the builder has collected them. */
    public ConnectionSecurity security() {
        return new ConnectionSecurity(
                values.trustManagers,
                values.keyManagers,
                values.hostnameVerification,
                values.credentials,
                values.sentinelCredentials);
    }

    NodeSettings nodeSettings(QuorumConfig config) {
        return new NodeSettings(
                config, isGuarded(config.nodes()), connectTimeout(), replicas(), security(), values.addressMap);
    }

    QuorumConfig quorumConfig(int nodes) {
        return new QuorumConfig(nodes, maxLease());
    }

    QuorumConfig previousConfig(int nodes) {
        return new QuorumConfig(nodes, previousMaxLease());
    }

    /** Returns {@code true} if restarted nodes must complete a quarantine. */
    boolean isGuarded(int nodes) {
        return restarts() == RestartPolicy.QUARANTINE
                || (restarts() == RestartPolicy.AUTO && nodes >= SMALLEST_GUARDED);
    }

    private List<@Nullable Object> components() {
        return Arrays.asList(
                maxLease(),
                restarts(),
                strictFences(),
                connectTimeout(),
                replicas(),
                name(),
                values.callbackExecutor,
                security(),
                values.addressMap,
                previousNodes(),
                previousMaxLease());
    }

    /**
     * Returns {@code true} if all values are equal; executors, suppliers and factories are compared by {@code equals}.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HoldfastOptions options && components().equals(options.components());
    }

    @Override
    public int hashCode() {
        return components().hashCode();
    }

    /** Returns the values on which clients must agree, and the connect timeout; no secret. */
    @Override
    public String toString() {
        return "HoldfastOptions[maxLease " + maxLease() + ", restarts " + restarts()
                + (strictFences() ? ", strict fences" : "") + ", connect " + connectTimeout() + ", replicas "
                + replicas()
                + (previousNodes().isEmpty() ? "" : ", " + previousNodes().size() + " previous nodes")
                + "]";
    }
}
