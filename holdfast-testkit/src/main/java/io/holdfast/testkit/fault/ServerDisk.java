package io.holdfast.testkit.fault;

import io.holdfast.servers.RedisBinary;
import io.holdfast.servers.RedisServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * The disk of a server that is started with its {@link #options}: it can be made to stall, so that what is flushed to it is never
 * done. Needs a C compiler, Linux, and a server that is linked dynamically.
 */
public final class ServerDisk {

    private final Preload shim;
    private final RedisBinary binary;

    private ServerDisk(Preload shim, RedisBinary binary) {
        this.shim = shim;
        this.binary = binary;
    }

    /** Whether this machine can do it. */
    public static boolean isAvailable() {
        return Preload.isAvailable();
    }

    /**
     * A disk that works, until it stalls.
     *
     * @param directory where its files are kept
     */
    public static ServerDisk in(Path directory) {
        try {
            Preload shim = Preload.library(directory, "disk", "HOLDFAST_DISK");
            return new ServerDisk(shim, shim.before(RedisBinary.find()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a disk in " + directory, e);
        }
    }

    /** How to start a server that writes to this disk. */
    public RedisServerOptions options() {
        return RedisServerOptions.DEFAULT.withBinary(binary);
    }

    /** From now on, {@code fsync} and {@code fdatasync} return only after {@link #recover}. */
    public void stall() {
        set(1);
    }

    /** The disk works again. */
    public void recover() {
        set(0);
    }

    private void set(long stalled) {
        try {
            shim.set(stalled);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
