package io.holdfast.testkit.fault;

import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.binary.RedisBinary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The wall clock of servers that are started with its {@link #options}, or of other programs with its {@link
 * #environment}, which can be changed while they run. Requires a
 * C compiler, Linux, and a dynamically linked server.
 */
public final class ServerClock {

    private final Preload preload;
    private final RedisBinary binary;

    private ServerClock(Preload preload, RedisBinary binary) {
        this.preload = preload;
        this.binary = binary;
    }

    /** Returns true if this machine supports it. */
    public static boolean isAvailable() {
        return Preload.isAvailable();
    }

    /**
     * Makes a correct clock.
     *
     * @param directory the directory for its files
     */
    public static ServerClock in(Path directory) {
        return in(directory, RedisBinary.find());
    }

    /** Makes a correct clock for the given server program. */
    public static ServerClock in(Path directory, RedisBinary binary) {
        Preload preload = Preload.library(directory, "clock", "HOLDFAST_CLOCK");
        return new ServerClock(preload, preload.wrap(binary));
    }

    /**
     * Returns the options of a server that uses this clock. The thread of its allocator waits until a wall clock time,
     * and would take a whole core once the clock stands still or is late.
     */
    public RedisServerOptions options() {
        return RedisServerOptions.DEFAULT.withBinary(binary).withConfig("jemalloc-bg-thread no");
    }

    /** Returns the environment variables of another program that uses this clock. It is linked dynamically. */
    public Map<String, String> environment() {
        return preload.environment();
    }

    /** Sets the clock to the machine's clock plus an offset, which may be negative. */
    public void set(Duration offset) {
        preload.set(2 * (offset.toNanos() / 1_000));
    }

    /** Stops the clock at a time in microseconds since 1970, so that nothing expires until it is set again. */
    public void stopAt(long micros) {
        preload.set(2 * micros + 1);
    }
}
