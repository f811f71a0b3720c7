package io.holdfast.interop;

import io.holdfast.testkit.LineLink;
import io.holdfast.testkit.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that runs a lock client of another project. */
final class Peer implements AutoCloseable {

    private final Process process;
    private final LineLink link;

    /** The lock client that a peer runs. */
    enum Kind {
        /** The npm package of that name. */
        NODE_REDLOCK(true, "node", "peers/redlock.js"),
        /** Debian's {@code python3-redis}. */
        REDIS_PY(false, "/usr/bin/python3", "peers/redis_py.py"),
        /** {@code redis-cli} with {@code SET NX PX}, and scripts to extend and release. */
        REDIS_CLI(false, "bash", "peers/redis_cli.sh");

        private final boolean quorum;

        @SuppressWarnings("ImmutableEnumChecker") // The list is immutable.
        private final List<String> command;

        Kind(boolean quorum, String... command) {
            this.quorum = quorum;
            this.command = List.of(command);
        }

        /** Returns {@code true} if the client supports more than one node. */
        boolean isQuorum() {
            return quorum;
        }

        /** Returns {@code true} if the client is installed, or is required and must not be skipped. */
        boolean isInstalled() {
            return Boolean.getBoolean("holdfast.interop.required") || Programs.succeed(probe());
        }

        private String[] probe() {
            return switch (this) {
                case NODE_REDLOCK -> new String[] {"node", "-e", "require('./peers/node_modules/redlock')"};
                case REDIS_PY -> new String[] {"/usr/bin/python3", "-c", "import redis"};
                case REDIS_CLI -> new String[] {"redis-cli", "--version"};
            };
        }
    }

    private Peer(Process process) {
        this.process = process;
        this.link = LineLink.to(process);
    }

    static Peer start(Kind kind, List<String> addresses) {
        List<String> command = new ArrayList<>(kind.command);
        command.addAll(addresses);
        try {
            return new Peer(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(kind + " cannot be started", e);
        }
    }

    boolean acquire(String key, Duration ttl) {
        return send("acquire " + key + " " + ttl.toMillis());
    }

    boolean extend(String key, Duration ttl) {
        return send("extend " + key + " " + ttl.toMillis());
    }

    boolean release(String key) {
        return send("release " + key);
    }

    private boolean send(String request) {
        try {
            return link.send(request).equals("yes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
