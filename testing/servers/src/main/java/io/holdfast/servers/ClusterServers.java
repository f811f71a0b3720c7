package io.holdfast.servers;

import static io.holdfast.servers.Eventually.eventually;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A real Redis Cluster: three masters with a third of the slots each, and a replica of the first master. */
public final class ClusterServers implements AutoCloseable {

    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    /** After this time, Redis replaces a master that does not answer. A busy master has much more. */
    private static final String QUICK_MILLIS = "1000";

    private static final String PATIENT_MILLIS = "60000";

    private final RedisServers servers;

    private ClusterServers(RedisServers servers) {
        this.servers = servers;
    }

    /** Starts the cluster and returns when all slots are served. */
    public static ClusterServers start() {
        RedisServers servers = RedisServers.start(
                MASTERS + 1,
                RedisServerOptions.DEFAULT
                        .withConfig("cluster-enabled yes")
                        .withConfig("cluster-node-timeout " + QUICK_MILLIS)
                        .withConfig("repl-diskless-sync-delay 0")
                        .withConfig("cluster-require-full-coverage no"));
        ClusterServers cluster = new ClusterServers(servers);
        try {
            cluster.form();
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
        return cluster;
    }

    /** Makes a server with {@code cluster-enabled yes} a cluster of one shard. Returns when all slots are served. */
    public static void ofOne(RedisServer server) {
        addSlots(server, 0, SLOTS);
        eventually(
                "the cluster is up",
                () -> Objects.toString(server.exec("CLUSTER", "INFO")).contains("cluster_state:ok"));
    }

    private static void addSlots(RedisServer server, int first, int end) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        IntStream.range(first, end).forEach(slot -> command.add(Integer.toString(slot)));
        server.exec(command.toArray(String[]::new));
    }

    private void form() {
        for (int i = 0; i < MASTERS; i++) {
            addSlots(servers.get(i), first(i), first(i + 1));
            servers.get(i).exec("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        servers.forEach(server -> servers.get(0).exec("CLUSTER", "MEET", "127.0.0.1", Integer.toString(server.port())));
        eventually(
                "all servers know each other",
                () -> IntStream.range(0, servers.count())
                        .allMatch(i -> info(i).contains("cluster_known_nodes:" + servers.count())));
        String first = Objects.toString(servers.get(0).exec("CLUSTER", "MYID"));
        eventually("the last server replicates the first", () -> {
            try {
                return "OK".equals(servers.get(MASTERS).exec("CLUSTER", "REPLICATE", first));
            } catch (RedisReplyException notKnownYet) {
                return false;
            }
        });
        eventually(
                "the cluster is up",
                () -> IntStream.range(0, servers.count()).allMatch(i -> info(i).contains("cluster_state:ok")));
        eventually(
                "the replica is online",
                () -> Objects.toString(first().exec("INFO", "replication")).contains("state=online"));
        forEach(server -> setNodeTimeout(server, PATIENT_MILLIS));
    }

    private static void setNodeTimeout(RedisServer server, String millis) {
        server.exec("CONFIG", "SET", "cluster-node-timeout", millis);
    }

    private static int first(int master) {
        return SLOTS * master / MASTERS;
    }

    private String info(int server) {
        return Objects.toString(servers.get(server).exec("CLUSTER", "INFO"));
    }

    /** Returns the address for clients: all servers, any of which reports the slot map. */
    public String address() {
        return servers.uris().stream()
                .map(uri -> uri.getHost() + ":" + uri.getPort())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    /** Returns an address for clients that learn of the other servers from the first one. */
    public String addressOfFirst() {
        return "redis-cluster://127.0.0.1:" + first().port();
    }

    /**
     * Sets the kind of endpoint that the servers report in their slot map; Redis 7.0 and later support it.
     *
     * @param type such as {@code ip}, {@code hostname} or {@code unknown-endpoint}
     * @return whether the servers support the setting
     */
    public boolean prefersEndpoint(String type) {
        try {
            forEach(server -> server.exec("CONFIG", "SET", "cluster-preferred-endpoint-type", type));
            return true;
        } catch (RedisReplyException unknown) {
            return false;
        }
    }

    /** Runs the action for each server, the replica included. */
    public void forEach(Consumer<RedisServer> action) {
        servers.forEach(action);
    }

    /** Returns the initial master of the lowest slots. */
    public RedisServer first() {
        return servers.get(0);
    }

    /** Returns the initial master of the highest slots. */
    public RedisServer last() {
        return servers.get(MASTERS - 1);
    }

    /** Moves all slots of the last master to the first one, and removes the last one, which is empty afterwards. */
    public void removeLast() {
        String id = Objects.toString(last().exec("CLUSTER", "MYID"));
        last().exec("FLUSHALL");
        last().exec("CLUSTER", "RESET", "HARD");
        List<RedisServer> others = List.of(first(), servers.get(1), replica());
        others.forEach(server -> server.exec("CLUSTER", "FORGET", id));
        addSlots(first(), first(MASTERS - 1), SLOTS);
        eventually(
                "the others know who serves the slots",
                () -> others.stream()
                        .allMatch(server ->
                                Objects.toString(server.exec("CLUSTER", "INFO")).contains("slots_ok:" + SLOTS)));
    }

    /** Kills the first master, which its replica then replaces. */
    public void killFirst() {
        first().kill();
        for (int i = 1; i < servers.count(); i++) {
            setNodeTimeout(servers.get(i), QUICK_MILLIS);
        }
    }

    /** Returns the replica of {@link #first}. */
    public RedisServer replica() {
        return servers.get(MASTERS);
    }

    /** Returns the initial master of the slot that contains the key. */
    public RedisServer of(String key) {
        long slot = (Long) Objects.requireNonNull(first().exec("CLUSTER", "KEYSLOT", key));
        return servers.get((int) ((slot * MASTERS + MASTERS - 1) / SLOTS));
    }

    /** Returns a key whose slot {@link #first} serves initially. */
    public String keyOfFirst() {
        return keyOf(first());
    }

    /** Returns a key whose slot {@link #last} serves initially. */
    public String keyOfLast() {
        return keyOf(last());
    }

    private String keyOf(RedisServer server) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "lock-" + i)
                .filter(key -> of(key).equals(server))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Exchanges the roles of the first master and its replica, and returns when both know their roles. The other
     * masters are not asked: after a vote that comes too late on a busy machine, they do not vote for two minutes.
     */
    public void failOver() {
        long written = offset(first(), "master_repl_offset:");
        eventually("the replica has all data", () -> offset(replica(), "slave_repl_offset:") >= written);
        replica().exec("CLUSTER", "FAILOVER", "TAKEOVER");
        eventually("the servers have exchanged their roles", () -> isMaster(replica()) && !isMaster(first()));
    }

    private static long offset(RedisServer server, String field) {
        return Objects.toString(server.exec("INFO", "replication"))
                .lines()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.substring(field.length())))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isMaster(RedisServer server) {
        return Objects.toString(server.exec("ROLE")).contains("master");
    }

    @Override
    public void close() {
        servers.close();
    }
}
