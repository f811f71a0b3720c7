package io.holdfast.cli;

import io.holdfast.servers.RedisServers;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** A test of the packaged command on three servers that such tests share, with a directory and a lock of its own. */
abstract class CommandOnServers {

    /** They end with this process. */
    static final RedisServers servers = RedisServers.start(3);

    final String name = "lock-" + UUID.randomUUID();

    @TempDir
    Path directory;

    PackagedCommand command() {
        return PackagedCommand.on(directory, servers);
    }
}
