package io.holdfast.benchmarks.server;

import java.net.URI;
import java.util.List;

/** Servers of one kind on loopback ports; those of ZooKeeper and etcd are one ensemble. */
public interface LockServers extends AutoCloseable {

    /** Returns the addresses for clients; the scheme names the kind of server. */
    List<URI> uris();

    /** Kills the servers and deletes their directories. */
    @Override
    void close();
}
