package io.holdfast.spring.boot;

import io.holdfast.RestartPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Holdfast. Immutable.
 *
 * @param nodes Addresses of the servers, each of which has one vote: one, or better three or five, such as
 *     redis://host:6379; or memory: for tests, with locks in this application context only.
 * @param previousNodes Addresses of the servers that voted before, during a change to those of nodes. Each lock then
 *     needs a majority of each set.
 * @param username User of all nodes, unless an address contains one.
 * @param password Password of all nodes, unless an address contains one.
 * @param sentinel Credentials of the Sentinels.
 * @param addressMap Where servers are reached that a Sentinel or a cluster names, such as localhost:7001 for the key
 *     [10.0.0.5:6379].
 * @param ssl TLS of the connections.
 * @param client Redis client to use; by default the one that is on the class path.
 * @param maxLease Longest lease that any client of the nodes requests. All clients must agree. A restarted node does
 *     not vote for this time and a tenth of it.
 * @param previousMaxLease Longest lease that any client of the previous nodes requests; by default that of the nodes.
 * @param restarts Behaviour of a node after its restart. All clients must agree.
 * @param strictFences Whether a restarted node waits for other nodes to report the fencing tokens that it may have
 *     forgotten.
 * @param connectTimeout Longest wait for the first connections.
 * @param replicas Number of replicas that must confirm a lock, for nodes that fail over.
 * @param name Name of this client, by which others see who holds a lock or waits for it; by default those of the
 *     application and of the machine. Empty for none.
 * @param prefix Beginning of the names of all locks on the nodes.
 * @param useSpringDataRedis Whether the server of Spring Data Redis is the single node if no node is configured.
 * @param lock Options of all locks.
 * @param locks Options of the lock with the name of the key, and of the locks whose names begin with the key and a
 *     colon.
 * @param leader Leaders of this application.
 * @param annotation Locks by annotation.
 * @param metrics Meters of locks and jobs.
 * @param jobs Jobs as meters, health and the endpoint show them.
 * @param web Answers to HTTP requests.
 */
@ConfigurationProperties(prefix = "holdfast", ignoreUnknownFields = false)
public record HoldfastProperties(
        @DefaultValue List<String> nodes,
        @DefaultValue List<String> previousNodes,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue Sentinel sentinel,
        @DefaultValue Map<String, String> addressMap,
        @DefaultValue Ssl ssl,
        @Nullable Client client,
        @DefaultValue("1m") Duration maxLease,
        @Nullable Duration previousMaxLease,
        @DefaultValue("auto") RestartPolicy restarts,
        @DefaultValue("false") boolean strictFences,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("0") int replicas,
        @Nullable String name,
        @DefaultValue("") String prefix,
        @DefaultValue("true") boolean useSpringDataRedis,
        @DefaultValue Lock lock,
        @DefaultValue Map<String, Lock> locks,
        @DefaultValue Leader leader,
        @DefaultValue Annotation annotation,
        @DefaultValue Metrics metrics,
        @DefaultValue Jobs jobs,
        @DefaultValue Web web) {

    /** A Redis client that an adapter exists for. */
    public enum Client {
        /** Lettuce, by holdfast-lettuce. */
        LETTUCE,
        /** Jedis, by holdfast-jedis. */
        JEDIS
    }

    /**
     * Credentials of the Sentinels.
     *
     * @param username User of the Sentinels; by default the default user.
     * @param password Password of the Sentinels; by default none.
     */
    public record Sentinel(
            @Nullable String username, @Nullable String password) {

        /** Returns nothing of the secret. */
        @Override
        public String toString() {
            return "Sentinel[]";
        }
    }

    /**
     * TLS of the connections.
     *
     * @param bundle Name of the SSL bundle with the certificates; the addresses of the nodes must begin with rediss://.
     */
    public record Ssl(@Nullable String bundle) {}

    /**
     * Options of locks. One that is not set has the value of {@code holdfast.lock}, or else its default.
     *
     * @param waitLimit Longest wait for a lock, for a holder as well as for nodes: a duration or forever; by default
     *     30s.
     * @param lease Time for which the nodes keep a lock without a renewal; by default 30s.
     * @param holdLimit Longest time that a lock is held, renewals included: a duration or forever; by default forever.
     * @param nodeTimeout Longest wait of one round for a node; by default derived: a third of the lease, at most 500ms.
     * @param fair Whether waiters are served strictly in order; by default false.
     */
    public record Lock(
            @Nullable Duration waitLimit,
            @Nullable Duration lease,
            @Nullable Duration holdLimit,
            @Nullable Duration nodeTimeout,
            @Nullable Boolean fair) {}

    /**
     * Leaders of this application.
     *
     * @param roles Roles in whose elections this application takes part.
     */
    public record Leader(@DefaultValue List<String> roles) {}

    /**
     * Locks by annotation.
     *
     * @param order Order of the advisor; lower than that of @Transactional, so that the lock encloses the transaction.
     */
    public record Annotation(@DefaultValue("2147482647") int order) {}

    /**
     * Meters of locks and jobs.
     *
     * @param group Groups of locks that the meters distinguish.
     * @param jobs Whether this process has meters of all jobs of the nodes, which it reads for each scrape.
     */
    public record Metrics(
            @DefaultValue("before-colon") Group group,
            @DefaultValue("false") boolean jobs) {}

    /**
     * Jobs as meters, health and the endpoint show them.
     *
     * @param maxAge Age from which they read the jobs of the nodes again.
     */
    public record Jobs(@DefaultValue("15s") Duration maxAge) {}

    /**
     * Answers to HTTP requests.
     *
     * @param problemDetails Whether a refused lock is answered with the status 423 or 503 and a problem detail.
     */
    public record Web(@DefaultValue("false") boolean problemDetails) {}

    /** The groups of locks that meters distinguish. */
    public enum Group {
        /** The part of the name before the first colon, without the prefix; at most 100 groups. */
        BEFORE_COLON,
        /** All locks in one group. */
        ALL
    }

    /** Returns the number of nodes and the options that all clients share; no secret. */
    @Override
    public String toString() {
        return "HoldfastProperties[" + nodes.size() + " nodes, maxLease " + maxLease + ", restarts " + restarts + "]";
    }
}
