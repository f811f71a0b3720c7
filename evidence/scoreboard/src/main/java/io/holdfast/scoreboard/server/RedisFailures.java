package io.holdfast.scoreboard.server;

import io.holdfast.servers.Appendonly;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.testkit.fault.ServerDisk;
import io.holdfast.testkit.fault.Standby;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Independent servers of Redis. */
final class RedisFailures implements FailingServers {

    /** Less than a lease: an operator who does not wait for the locks. */
    private static final long BETWEEN_RESTARTS_MILLIS = 500;

    private final List<RedisServer> servers = new ArrayList<>();
    private @Nullable Standby standby;

    private RedisFailures() {}

    static RedisFailures start(Setup setup) {
        RedisFailures failures = new RedisFailures();
        try {
            for (int i = 0; i < setup.nodes(); i++) {
                RedisServerOptions options = i == 0 ? ofFirst(setup) : Standby.OPTIONS;
                failures.servers.add(RedisServer.start(options.withAppendonly(Appendonly.ALWAYS)));
            }
            if (setup.standby()) {
                failures.standby = new Standby(failures.first());
                failures.standby.diverge();
            }
            return failures;
        } catch (RuntimeException | AssertionError e) {
            failures.close();
            throw e;
        }
    }

    private static RedisServerOptions ofFirst(Setup setup) {
        ServerClock clock = setup.clock();
        ServerDisk disk = setup.disk();
        return clock != null ? clock.options() : disk != null ? disk.options() : Standby.OPTIONS;
    }

    private RedisServer first() {
        return servers.get(0);
    }

    @Override
    public List<URI> uris() {
        return servers.stream().map(RedisServer::uri).toList();
    }

    @Override
    public void kill() {
        first().kill();
    }

    @Override
    public void restart() {
        first().restartKeepingMemory();
    }

    @Override
    public void restartEmpty() {
        first().restartEmpty();
    }

    @Override
    public void failOver(Networks networks) {
        first().kill();
        networks.lead(0, Objects.requireNonNull(standby).server().uri());
    }

    @Override
    public void restartInTurn() throws InterruptedException {
        for (RedisServer server : servers) {
            server.restartEmpty();
            Thread.sleep(BETWEEN_RESTARTS_MILLIS);
        }
    }

    @Override
    public void close() {
        if (standby != null) {
            standby.close();
        }
        servers.forEach(RedisServer::close);
    }
}
