package io.holdfast.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * The wall clock of servers that are started with its {@link #options}: it can be stepped while they run. Needs a C
 * compiler, Linux, and a server that is linked dynamically.
 */
public final class ServerClock {

    private final Path offset;
    private final RedisServerOptions options;

    private ServerClock(Path offset, RedisServerOptions options) {
        this.offset = offset;
        this.options = options;
    }

    /** Whether this machine can do it. */
    public static boolean isAvailable() {
        return System.getProperty("os.name", "").equals("Linux") && runs("cc", "--version");
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
            Path library = directory.resolve("clock.so");
            Path source = directory.resolve("clock.c");
            try (InputStream in = ServerClock.class.getResourceAsStream("clock.c")) {
                Files.write(source, in.readAllBytes());
            }
            if (!runs("cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString())) {
                throw new IllegalStateException("cc cannot compile " + source);
            }
            Path offset = Files.write(directory.resolve("offset"), new byte[Long.BYTES]);
            Path wrapper = directory.resolve("redis-server");
            Files.writeString(
                    wrapper,
                    "#!/bin/sh\nHOLDFAST_CLOCK='" + offset + "' LD_PRELOAD='" + library + "' exec '" + binary.path()
                            + "' \"$@\"\n");
            Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwx------"));
            return new ServerClock(offset, RedisServerOptions.DEFAULT.withBinary(RedisBinary.at(wrapper)));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a clock in " + directory, e);
        }
    }

    /** How to start a server that goes by this clock. */
    public RedisServerOptions options() {
        return options;
    }

    /** Sets the clock this far ahead of the machine's, or back. */
    public void set(Duration ahead) {
        long micros = ahead.toNanos() / 1_000;
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(micros)
                .array();
        try (var file = Files.newByteChannel(offset, java.nio.file.StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean runs(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
