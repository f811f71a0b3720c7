package io.holdfast.benchmarks.server;

import io.holdfast.servers.Appendonly;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.net.URI;
import java.util.List;

/** Independent servers of Redis. */
public final class RedisLockServers implements LockServers {

    private final RedisServers servers;

    private RedisLockServers(RedisServers servers) {
        this.servers = servers;
    }

    static RedisLockServers start(int count, boolean durable) {
        Appendonly appendonly = durable ? Appendonly.ALWAYS : Appendonly.NONE;
        return new RedisLockServers(RedisServers.start(count, RedisServerOptions.DEFAULT.withAppendonly(appendonly)));
    }

    /** Returns the first server, whose statistics are the same as those of the others on average. */
    public RedisServer first() {
        return servers.get(0);
    }

    @Override
    public List<URI> uris() {
        return servers.uris();
    }

    @Override
    public void close() {
        servers.close();
    }
}
