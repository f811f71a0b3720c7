package io.holdfast.benchmarks.contestant;

import io.holdfast.benchmarks.server.Deployment;
import io.holdfast.benchmarks.server.ServerKind;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The libraries that can wait for a lock that another process holds. */
public enum Library {
    HOLDFAST("Holdfast", ServerKind.REDIS),
    /** On servers that promise what ZooKeeper and etcd promise: nothing that they confirmed is lost. */
    HOLDFAST_DURABLE("Holdfast", ServerKind.REDIS_DURABLE),
    /** Only if {@link EarlierLocks#PROPERTY} names an earlier build. */
    HOLDFAST_EARLIER("Holdfast, earlier", ServerKind.REDIS),
    REDISSON("Redisson", ServerKind.REDIS),
    SPRING_MESSAGES("Spring, pub/sub", ServerKind.REDIS),
    SPRING_POLLING("Spring, polling", ServerKind.REDIS),
    CURATOR("Curator", ServerKind.ZOOKEEPER),
    JETCD("jetcd", ServerKind.ETCD);

    private final String title;
    private final ServerKind kind;

    Library(String title, ServerKind kind) {
        this.title = title;
        this.kind = kind;
    }

    /** Returns the libraries for this number of nodes whose servers are installed. */
    public static List<Library> on(int nodes) {
        return Arrays.stream(values())
                .filter(library -> library.worksOn(nodes) && library.kind.isInstalled())
                .toList();
    }

    /** Returns a sentence for each library whose servers are not installed. */
    public static List<String> absences() {
        return Arrays.stream(values())
                .filter(library -> !library.kind.isInstalled())
                .map(library -> library.kind.absence(library.title))
                .toList();
    }

    /** Returns the libraries for this number of servers of Redis without persistence. */
    public static List<Library> onRedis(int nodes) {
        return Arrays.stream(values())
                .filter(library -> library.worksOn(nodes) && library.kind == ServerKind.REDIS)
                .toList();
    }

    /** Returns the libraries of {@link #onRedis} that differ where no thread waits: Spring's two locks do not. */
    public static List<Library> withoutWaits(int nodes) {
        return onRedis(nodes).stream()
                .filter(library -> library != SPRING_POLLING)
                .toList();
    }

    /** Returns the kinds of servers that these libraries need. */
    public static List<ServerKind> kinds(List<Library> libraries) {
        return libraries.stream().map(Library::kind).distinct().toList();
    }

    private boolean worksOn(int nodes) {
        return switch (this) {
            case SPRING_MESSAGES, SPRING_POLLING -> nodes == 1;
            case HOLDFAST_EARLIER -> EarlierLocks.jar() != null;
            default -> true;
        };
    }

    /** Returns the name for tables. */
    public String title() {
        return title;
    }

    public ServerKind kind() {
        return kind;
    }

    /** Returns the word for the column that says what a server does before it replies. */
    public String durability() {
        return kind.isDurable() ? "fsync" : "none";
    }

    /** Returns the options that a Java process needs for all libraries that are there. */
    public static List<String> javaOptions() {
        String earlier = EarlierLocks.jar();
        return earlier == null ? List.of() : List.of("-D" + EarlierLocks.PROPERTY + "=" + earlier);
    }

    /** Connects to servers of the kind of this library. */
    public Contestant connect(List<String> uris) {
        return switch (this) {
            case HOLDFAST, HOLDFAST_DURABLE -> new HoldfastLocks(uris);
            case HOLDFAST_EARLIER -> new EarlierLocks(uris);
            case REDISSON -> new RedissonLocks(uris);
            case SPRING_MESSAGES -> new SpringLocks(uris.get(0), RedisLockType.PUB_SUB_LOCK);
            case SPRING_POLLING -> new SpringLocks(uris.get(0), RedisLockType.SPIN_LOCK);
            case CURATOR -> new CuratorLocks(uris);
            case JETCD -> new JetcdLocks(uris);
        };
    }

    /** Connects to the servers of this deployment. */
    public Contestant connect(Deployment deployment) {
        return connect(deployment.of(kind).uris().stream().map(URI::toString).toList());
    }
}
