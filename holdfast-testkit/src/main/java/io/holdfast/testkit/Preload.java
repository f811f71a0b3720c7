package io.holdfast.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A redis-server with a small library before it, which reads one number from a file and behaves accordingly. */
final class Preload {

    private final Path number;
    private final RedisBinary binary;

    private Preload(Path number, RedisBinary binary) {
        this.number = number;
        this.binary = binary;
    }

    /** Whether this machine can do it. */
    static boolean isAvailable() {
        return System.getProperty("os.name", "").equals("Linux") && runs("cc", "--version");
    }

    /**
     * Compiles the library into the directory.
     *
     * @param name of its source beside this class, without {@code .c}
     * @param variable the environment variable in which it finds the path of the file
     */
    static Preload in(Path directory, RedisBinary binary, String name, String variable) throws IOException {
        Path library = directory.resolve(name + ".so");
        Path source = directory.resolve(name + ".c");
        try (InputStream in = Preload.class.getResourceAsStream(name + ".c")) {
            Files.write(source, in.readAllBytes());
        }
        if (!runs("cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString())) {
            throw new IllegalStateException("cc cannot compile " + source);
        }
        Path number = Files.write(directory.resolve(name + ".number"), new byte[Long.BYTES]);
        Path wrapper = directory.resolve("redis-server");
        Files.writeString(
                wrapper,
                "#!/bin/sh\n" + variable + "='" + number + "' LD_PRELOAD='" + library + "' exec '" + binary.path()
                        + "' \"$@\"\n");
        Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwx------"));
        return new Preload(number, RedisBinary.at(wrapper));
    }

    RedisBinary binary() {
        return binary;
    }

    /** What the library reads from now on. */
    void set(long value) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(value);
        try (var file = Files.newByteChannel(number, StandardOpenOption.WRITE)) {
            file.write(bytes.flip());
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
