package io.holdfast.testkit.fault;

import io.holdfast.servers.RedisBinary;
import io.holdfast.servers.RedisServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The wall clock of servers that are started with its {@link #options}: it can be stepped while they run. Needs a C
 * compiler, Linux, and a server that is linked dynamically.
 */
public final class ServerClock {

    private final Preload shim;
    private final RedisBinary binary;

    private ServerClock(Preload shim, RedisBinary binary) {
        this.shim = shim;
        this.binary = binary;
    }

    /** Whether this machine can do it. */
    public static boolean isAvailable() {
        return Preload.isAvailable();
    }

    /**
     * A clock that goes right, until it is stepped.
     *
     * @param directory where its files are kept
     */
    public static ServerClock in(Path directory) {
        return in(directory, RedisBinary.find());
    }

    /** The same for this server. */
    public static ServerClock in(Path directory, RedisBinary binary) {
        try {
            Preload shim = Preload.library(directory, "clock", "HOLDFAST_CLOCK");
            return new ServerClock(shim, shim.before(binary));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a clock in " + directory, e);
        }
    }

    /** How to start a server that goes by this clock. */
    public RedisServerOptions options() {
        return RedisServerOptions.DEFAULT.withBinary(binary);
    }

    /** Sets the clock this far ahead of the machine's, or back. */
    public void set(Duration ahead) {
        try {
            shim.set(ahead.toNanos() / 1_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
