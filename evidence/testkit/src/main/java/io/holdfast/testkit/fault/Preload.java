package io.holdfast.testkit.fault;

import io.holdfast.servers.binary.RedisBinary;
import io.holdfast.testkit.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * A small library that is preloaded into a program, reads one number from a file and behaves accordingly.
 *
 * @param library the file of the compiled library
 * @param variable the environment variable that contains the path of the file with the number
 * @param number the file with the number
 */
record Preload(Path library, String variable, Path number) {

    /** Returns true if this machine can compile and preload the library. */
    static boolean isAvailable() {
        return System.getProperty("os.name", "").equals("Linux") && Programs.succeed("cc", "--version");
    }

    /**
     * Compiles the library into the directory.
     *
     * @param name the name of its source beside this class, without {@code .c}
     * @param variable the environment variable that contains the path of the file with the number
     */
    static Preload library(Path directory, String name, String variable) {
        Path library = directory.resolve(name + ".so");
        Path source = directory.resolve(name + ".c");
        Path number = directory.resolve(name + ".number");
        try (InputStream in = Preload.class.getResourceAsStream(name + ".c")) {
            Files.write(source, in.readAllBytes());
            Files.write(number, new byte[Long.BYTES]);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write to " + directory, e);
        }
        if (!Programs.succeed("cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl")) {
            throw new IllegalStateException("cc cannot compile " + source);
        }
        return new Preload(library, variable, number);
    }

    /** Returns the environment variables of a program with the library. */
    Map<String, String> environment() {
        return Map.of(variable, number.toString(), "LD_PRELOAD", library.toString());
    }

    /**
     * Returns a program that starts the server with the library. Another process writes it: a process that this one
     * starts at the same moment would inherit the open file, and a file that is open for writing cannot be executed.
     */
    RedisBinary wrap(RedisBinary binary) {
        Path wrapper = library.resolveSibling("redis-server");
        Path draft = library.resolveSibling("redis-server.draft");
        try {
            Files.writeString(
                    draft,
                    "#!/bin/sh\n" + variable + "='" + number + "' LD_PRELOAD='" + library + "' exec '" + binary.path()
                            + "' \"$@\"\n");
            if (!Programs.succeed("cp", draft.toString(), wrapper.toString())) {
                throw new IOException("Cannot copy " + draft + " to " + wrapper);
            }
            Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + wrapper, e);
        }
        return RedisBinary.at(wrapper);
    }

    /** Sets the number that the library reads. */
    void set(long value) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(value);
        try (var file = Files.newByteChannel(number, StandardOpenOption.WRITE)) {
            file.write(bytes.flip());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + number, e);
        }
    }
}
