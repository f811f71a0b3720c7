package io.holdfast.cli;

import io.holdfast.LeaseHandle;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the handle of a lease is. It is a secret, so it is no argument, which other users of the machine can read. */
final class HandleOptions {

    static final String VARIABLE = "HOLDFAST_HANDLE";

    private static final Flag FILE = Flag.of(
            "--handle-file",
            "FILE",
            "Where the handle of the lease is kept, readable by you alone. Default: `acquire` prints it, and `renew`"
                    + " and `release` find it in the environment variable " + VARIABLE + ".");

    static final List<Flag> FLAGS = List.of(FILE);

    private final @Nullable Path file;

    private HandleOptions(@Nullable Path file) {
        this.file = file;
    }

    static HandleOptions of(Arguments given) {
        return new HandleOptions(given.value(FILE, Path::of).orElse(null));
    }

    boolean isFile() {
        return file != null;
    }

    /** From where it was kept. */
    LeaseHandle read() {
        String text = file == null ? System.getenv().getOrDefault(VARIABLE, "") : contents(file);
        if (text.isBlank()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no handle: say " + VARIABLE
                            + "=\"$(holdfast acquire NAME)\" and export it, or give --handle-file to both");
        }
        return LeaseHandle.parse(text);
    }

    private static String contents(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Failure(ExitCode.USAGE, "the handle in " + file + " cannot be read: " + e);
        }
    }

    /** Where it is kept; whoever reads the file finds the old handle or the new one. */
    void write(LeaseHandle handle) {
        if (file == null) {
            return;
        }
        try {
            Path directory = file.toAbsolutePath().getParent();
            Path fresh = Files.createTempFile(
                    directory,
                    ".holdfast",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(fresh, handle.text() + "\n");
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new Failure(ExitCode.INTERNAL, "the handle cannot be written to " + file + ": " + e);
        }
    }

    /** It is of no use any more. */
    void forget() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new Failure(ExitCode.INTERNAL, file + " cannot be deleted: " + e);
        }
    }
}
