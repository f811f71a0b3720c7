package io.holdfast;

import io.holdfast.node.NodeAddress;
import io.holdfast.security.Credentials;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Collects the values of {@link HoldfastOptions}, which {@link #build} checks. The order of the calls has no meaning.
 * Not thread-safe.
 */
public final class HoldfastOptionsBuilder {

    Duration maxLease = Duration.ofMinutes(1);
    RestartPolicy restarts = RestartPolicy.AUTO;
    boolean strictFences;
    Duration connectTimeout = Duration.ofSeconds(2);
    int replicas;

    @Nullable
    String name;

    @Nullable
    Executor callbackExecutor;

    @Nullable
    TrustManagerFactory trustManagers;

    @Nullable
    KeyManagerFactory keyManagers;

    boolean hostnameVerification = true;

    @Nullable
    Supplier<Credentials> credentials;

    @Nullable
    Supplier<Credentials> sentinelCredentials;

    Map<NodeAddress.Host, NodeAddress.Host> addressMap = Map.of();

    List<String> previousNodes = List.of();

    @Nullable
    Duration previousMaxLease;

    HoldfastOptionsBuilder() {}

    /** Returns a copy, which the options keep, so that this builder can be used again. */
    HoldfastOptionsBuilder copy() {
        HoldfastOptionsBuilder copy = new HoldfastOptionsBuilder();
        copy.maxLease = maxLease;
        copy.restarts = restarts;
        copy.strictFences = strictFences;
        copy.connectTimeout = connectTimeout;
        copy.replicas = replicas;
        copy.name = name;
        copy.callbackExecutor = callbackExecutor;
        copy.trustManagers = trustManagers;
        copy.keyManagers = keyManagers;
        copy.hostnameVerification = hostnameVerification;
        copy.credentials = credentials;
        copy.sentinelCredentials = sentinelCredentials;
        copy.addressMap = addressMap;
        copy.previousNodes = previousNodes;
        copy.previousMaxLease = previousMaxLease;
        return copy;
    }

    /**
     * Sets the longest lease that any client of the nodes may request, 10 ms to {@link LockOptions#MAX_LEASE}; 1 min by
     * default. A node that was restarted does not vote for a tenth more than this, so a long one makes recovery slow.
     * All clients of the nodes must use the same value; a node rejects a client with another one.
     */
    public HoldfastOptionsBuilder maxLease(Duration longest) {
        maxLease = OptionChecks.given("maxLease", longest);
        return this;
    }

    /**
     * Sets the behaviour of a restarted node; {@link RestartPolicy#AUTO} by default. All clients must use the same
     * value.
     */
    public HoldfastOptionsBuilder restarts(RestartPolicy policy) {
        restarts = OptionChecks.given("restarts", policy);
        return this;
    }

    /**
     * Sets whether a restarted node stays in quarantine until {@code N − Q + 1} other nodes have reported which fencing
     * tokens it may have forgotten; {@code false} by default. If so many nodes forget at once, tokens otherwise stay in
     * order only as long as clocks agree to within 5 s.
     */
    public HoldfastOptionsBuilder strictFences(boolean strict) {
        strictFences = strict;
        return this;
    }

    /** Sets the longest time that {@code connect} waits for the first connections, at least 1 ms; 2 s by default. */
    public HoldfastOptionsBuilder connectTimeout(Duration timeout) {
        connectTimeout = Durations.shorter(OptionChecks.given("connectTimeout", timeout), LockOptions.FOREVER);
        return this;
    }

    /**
     * Sets the number of replicas of a node that must confirm a lock, by {@code WAIT}, before the vote of the node
     * counts, 0 to 100; 0 by default. For nodes that fail over to a replica (Sentinel, Cluster). A failover then rarely
     * forgets a lock, at the price of another round trip; it still can, since Sentinel and Cluster need not promote one
     * of those replicas.
     */
    public HoldfastOptionsBuilder replicas(int confirming) {
        replicas = confirming;
        return this;
    }

    /**
     * Sets what this client is called where others look up who holds a lock or waits for it, such as {@code
     * orders@pod-7}; the process id is added. A client that holds or waits for more than 100 ms writes the name on the
     * nodes, and again every minute while it does; the nodes forget it three minutes later. By default, a client that
     * is {@linkplain Holdfast#connect(String...) connected} to addresses is called by its main class and machine, and
     * one of given nodes has no name.
     *
     * @param client the name, of which the first 100 characters count; empty: this client writes nothing about itself
     */
    public HoldfastOptionsBuilder name(String client) {
        name = OptionChecks.given("name", client);
        return this;
    }

    /**
     * Sets the executor that runs the callbacks of leases and events and completes the futures of asynchronous methods;
     * by default each callback runs on a thread of the client's {@link io.holdfast.time.Time Time}. Callbacks may
     * block. The executor must not run tasks on the calling thread, which this method checks with an empty task. A task
     * that it rejects runs on a thread of the client. Of an election it runs {@code deposed}, and neither {@code
     * elected} nor {@code resigned}. Closing the client does not shut the executor down.
     *
     * <p>The executor must drop no task, also not at its end. A lease on its way to a caller would be held until the
     * client is closed, so close the client first.
     *
     * <p>Its {@code execute} must return at once, because the threads of the client's timers call it. While it waits,
     * for space in a queue for instance, renewals are late, so that healthy leases can be lost. Give an executor that
     * rejects tasks instead, or one without a bound.
     *
     * <p>While all threads of the executor are busy, the report of a loss waits as well, and may come after the end of
     * the validity. Give an executor of its own, not one on which the work under a lock runs.
     *
     * @throws IllegalArgumentException if the executor runs the empty task on the calling thread, or is a {@code
     *     ThreadPoolExecutor} with a policy that discards tasks
     */
    public HoldfastOptionsBuilder callbackExecutor(Executor executor) {
        callbackExecutor = OptionChecks.leavingCaller(OptionChecks.given("callbackExecutor", executor));
        return this;
    }

    /**
     * Sets the certificates that TLS connections trust; by default those that the JVM trusts. The factory must be
     * initialized.
     */
    public HoldfastOptionsBuilder trustManagers(TrustManagerFactory trusted) {
        trustManagers = trusted;
        return this;
    }

    /**
     * Sets the certificate that this client presents to servers over TLS; by default none. The factory must be
     * initialized.
     */
    public HoldfastOptionsBuilder keyManagers(KeyManagerFactory own) {
        keyManagers = own;
        return this;
    }

    /** Sets whether the certificate of a server must name the host of its address; {@code true} by default. */
    public HoldfastOptionsBuilder hostnameVerification(boolean verified) {
        hostnameVerification = verified;
        return this;
    }

    /**
     * Sets the source of the user and the password. It is asked for each new connection to a server, on any thread, so
     * that a rotated password needs no new client; it must not block for long. An address that contains a user or a
     * password takes precedence. Sentinels get {@link #sentinelCredentials}. By default only the addresses contain
     * credentials.
     */
    public HoldfastOptionsBuilder credentials(Supplier<Credentials> source) {
        credentials = source;
        return this;
    }

    /**
     * Sets the source of the user and the password of all Sentinels, which is asked as that of {@link #credentials} is.
     * By default Sentinels get neither; those of an address are for the master.
     */
    public HoldfastOptionsBuilder sentinelCredentials(Supplier<Credentials> source) {
        sentinelCredentials = source;
        return this;
    }

    /**
     * Sets where this client reaches the servers that a Sentinel or a cluster names, such as {@code 10.0.0.5:6379} at
     * {@code localhost:7001}, if they name addresses of a network that this client is not part of. A host without a
     * port stands for all its ports, which the other host has too. Other servers are reached where they are named, all
     * of them by default. The addresses of the nodes themselves are not looked up.
     *
     * @param reached the reachable host of each named one, each with or without a port
     * @throws IllegalArgumentException if one of them is no host
     */
    public HoldfastOptionsBuilder addressMap(Map<String, String> reached) {
        addressMap = OptionChecks.addressMap(reached);
        return this;
    }

    /**
     * Sets the addresses of the set of nodes that was used before, during a change to another set; none by default. A
     * client with both sets needs a majority of each, so it excludes the clients of either. Clients of one set alone
     * exclude no client of the other one alone. The nodes accept only one of these kinds at a time, from the first step
     * of {@link io.holdfast.admin.NodeChange} on; take it before a client uses the present set.
     *
     * <p>The restart policy counts the nodes of each set, and {@link #connectTimeout} is for each set. All other
     * options are for both. Both sets together have at most 64 nodes.
     *
     * @param uris as those of {@link Holdfast#connect(String...)}. A server of both sets takes part in the present one
     *     with another database, such as {@code redis://host:6379/1}
     */
    public HoldfastOptionsBuilder previousNodes(List<String> uris) {
        previousNodes = List.copyOf(OptionChecks.given("previousNodes", uris));
        return this;
    }

    /**
     * Sets the longest lease that clients of the previous set may request, within the bounds of {@link #maxLease},
     * which is its default. This client requests no lease that is longer than either of them. The value is not used
     * without previous nodes.
     */
    public HoldfastOptionsBuilder previousMaxLease(Duration longest) {
        previousMaxLease = OptionChecks.given("previousMaxLease", longest);
        return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names the value, the rule and the remedy
     */
    public HoldfastOptions build() {
        return new HoldfastOptions(copy());
    }
}
