package io.holdfast.testkit.fault;

import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.binary.RedisBinary;
import java.nio.file.Path;
import java.util.Map;

/**
 * The disk of a server that is started with its {@link #options}, or of other programs with its {@link #environment}.
 * When the disk stalls, flushes to it do not complete. Requires a C compiler, Linux, and a dynamically linked server.
 */
public final class ServerDisk {

    private final Preload preload;
    private final RedisBinary binary;

    private ServerDisk(Preload preload, RedisBinary binary) {
        this.preload = preload;
        this.binary = binary;
    }

    /** Returns true if this machine supports it. */
    public static boolean isAvailable() {
        return Preload.isAvailable();
    }

    /**
     * Makes a working disk.
     *
     * @param directory the directory for its files
     */
    public static ServerDisk in(Path directory) {
        Preload preload = Preload.library(directory, "disk", "HOLDFAST_DISK");
        return new ServerDisk(preload, preload.wrap(RedisBinary.find()));
    }

    /** Returns the options of a server that writes to this disk. */
    public RedisServerOptions options() {
        return RedisServerOptions.DEFAULT.withBinary(binary);
    }

    /** Returns the environment variables of another program that writes to this disk. It is linked dynamically. */
    public Map<String, String> environment() {
        return preload.environment();
    }

    /** Blocks all calls of {@code fsync} and {@code fdatasync} until {@link #recover} is called. */
    public void stall() {
        preload.set(1);
    }

    /** Lets the disk work again. */
    public void recover() {
        preload.set(0);
    }
}
