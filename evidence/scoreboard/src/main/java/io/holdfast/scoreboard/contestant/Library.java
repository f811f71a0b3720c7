package io.holdfast.scoreboard.contestant;

import io.holdfast.scoreboard.server.ServerKind;
import io.holdfast.testkit.JavaProcess;
import io.holdfast.testkit.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The contestants. One that checks no tokens lets the counter accept each write. */
public enum Library {
    SET_NX("`SET NX` by hand", ServerKind.REDIS, 1),
    REDIS_PY("redis-py `Lock`", ServerKind.REDIS, 1),
    SHEDLOCK("ShedLock", ServerKind.REDIS, 1),
    SHEDLOCK_JDBC("ShedLock on PostgreSQL", ServerKind.POSTGRESQL, 1),
    SPRING("Spring Integration", ServerKind.REDIS, 1),
    REDISSON("Redisson `RLock`", ServerKind.REDIS, 1),
    REDISSON_FENCED("Redisson `RFencedLock`, token checked", ServerKind.REDIS, 1),
    NODE_REDLOCK("node-redlock, 3 nodes", ServerKind.REDIS, 3),
    CURATOR("Curator on ZooKeeper, 3 nodes", ServerKind.ZOOKEEPER, 3),
    JETCD("jetcd on etcd, 3 nodes", ServerKind.ETCD, 3),
    JETCD_FENCED("jetcd on etcd, 3 nodes, revision checked", ServerKind.ETCD, 3),
    HOLDFAST_1("Holdfast, 1 node", ServerKind.REDIS, 1),
    HOLDFAST_1_FENCED("Holdfast, 1 node, token checked", ServerKind.REDIS, 1),
    HOLDFAST_3("Holdfast, 3 nodes", ServerKind.REDIS, 3),
    HOLDFAST_3_FENCED("Holdfast, 3 nodes, token checked", ServerKind.REDIS, 3),
    HOLDFAST_5("Holdfast, 5 nodes", ServerKind.REDIS, 5),
    HOLDFAST_5_FENCED("Holdfast, 5 nodes, token checked", ServerKind.REDIS, 5);

    /** The lease of libraries that renew it. */
    private static final Duration RENEWED = Duration.ofSeconds(2);

    /** The lease of the others: longer than any client works. */
    private static final Duration FIXED = Duration.ofSeconds(5);

    private final String title;
    private final ServerKind kind;
    private final int nodes;

    Library(String title, ServerKind kind, int nodes) {
        this.title = title;
        this.kind = kind;
        this.nodes = nodes;
    }

    /** Returns the name for tables. */
    public String title() {
        return title;
    }

    /** Returns the name without what follows its first comma but a check of tokens. */
    public String shortTitle() {
        return title.replace("`", "")
                .replace(" checked", "")
                .replace("on ZooKeeper, ", "")
                .replace("on etcd, ", "");
    }

    public ServerKind kind() {
        return kind;
    }

    public int nodes() {
        return nodes;
    }

    /** Returns whether the counter refuses a write with a smaller token than it has seen. */
    public boolean checksTokens() {
        return name().endsWith("_FENCED");
    }

    /** Returns whether the library renews the lease while the holder works. */
    public boolean renews() {
        return switch (this) {
            case SET_NX, REDIS_PY, SHEDLOCK, SHEDLOCK_JDBC -> false;
            default -> true;
        };
    }

    public Duration lease() {
        return renews() ? RENEWED : FIXED;
    }

    /** Returns whether this machine has the servers and the programs of the library. */
    public boolean isInstalled() {
        return kind.isInstalled()
                && switch (this) {
                    case REDIS_PY -> Programs.succeed("/usr/bin/python3", peer("redis_py.py"), "--version");
                    case NODE_REDLOCK -> Programs.succeed("node", peer("redlock.js"), "--version");
                    default -> true;
                };
    }

    /** Returns a process of this library that has not started. */
    public ProcessBuilder process(Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        switch (this) {
            case REDIS_PY -> command.addAll(List.of("/usr/bin/python3", peer("redis_py.py")));
            case NODE_REDLOCK -> command.addAll(List.of("node", peer("redlock.js")));
            default -> {
                return JavaProcess.of(List.of("-Xshare:auto"), program, arguments);
            }
        }
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    /** Returns the path of a program in another language, from the directory of this module or of the project. */
    private static String peer(String file) {
        Path here = Path.of("peers", file);
        return (Files.exists(here) ? here : Path.of("evidence/scoreboard").resolve(here)).toString();
    }

    /** Connects to the servers at these addresses. */
    public Contestant connect(List<String> uris) {
        return switch (this) {
            case SET_NX -> new SetNxLocks(uris.get(0), lease());
            case SHEDLOCK -> ShedLocks.onRedis(uris.get(0), lease());
            case SHEDLOCK_JDBC -> ShedLocks.onPostgres(uris.get(0), lease());
            case SPRING -> new SpringLocks(uris.get(0), lease());
            case REDISSON -> new RedissonLocks(uris.get(0), lease(), false);
            case REDISSON_FENCED -> new RedissonLocks(uris.get(0), lease(), true);
            case CURATOR -> new CuratorLocks(uris, lease());
            case JETCD, JETCD_FENCED -> new JetcdLocks(uris, lease());
            case HOLDFAST_1, HOLDFAST_1_FENCED, HOLDFAST_3, HOLDFAST_3_FENCED, HOLDFAST_5, HOLDFAST_5_FENCED ->
                new HoldfastLocks(uris, lease());
            case REDIS_PY, NODE_REDLOCK -> throw new IllegalArgumentException(this + " is not a library of Java");
        };
    }
}
