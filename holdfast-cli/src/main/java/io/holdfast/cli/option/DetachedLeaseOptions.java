package io.holdfast.cli.option;

import io.holdfast.DetachedLease;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The place of a detached lease's handle. The handle is a secret, so it is never an argument, which other users can
 * read.
 */
public final class DetachedLeaseOptions {

    public static final String VARIABLE = "HOLDFAST_HANDLE";

    private static final CommandOption FILE = CommandOption.of(
            "--handle-file",
            "FILE",
            "The file for the handle of the lease; only you can read it. Default: `acquire` prints the handle, and"
                    + " `renew` and `release` read it from the environment variable " + VARIABLE + ".");

    public static final List<CommandOption> OPTIONS = List.of(FILE);

    private final @Nullable Path file;

    private DetachedLeaseOptions(@Nullable Path file) {
        this.file = file;
    }

    public static DetachedLeaseOptions of(Arguments arguments) {
        return new DetachedLeaseOptions(arguments.value(FILE, Path::of).orElse(null));
    }

    public boolean isFile() {
        return file != null;
    }

    /** Reads the handle from the file or the environment. */
    public DetachedLease read() {
        String text = file == null ? System.getenv().getOrDefault(VARIABLE, "") : contents(file);
        if (text.isBlank()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no handle: export " + VARIABLE
                            + "=\"$(holdfast acquire NAME)\", or use --handle-file for both commands");
        }
        return DetachedLease.parse(text);
    }

    private static String contents(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Failure(ExitCode.USAGE, "the handle in " + file + " cannot be read: " + e);
        }
    }

    /** Writes the handle to the file, if there is one. A concurrent reader finds the old handle or the new one. */
    public void write(DetachedLease handle) {
        if (file == null) {
            return;
        }
        try {
            Path directory = file.toAbsolutePath().getParent();
            Path temporary = Files.createTempFile(
                    directory,
                    ".holdfast",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(temporary, handle.text() + "\n");
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new Failure(ExitCode.INTERNAL, "the handle cannot be written to " + file + ": " + e);
        }
    }

    /** Deletes the file, since the handle has become useless. */
    public void deleteFile() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new Failure(ExitCode.INTERNAL, file + " cannot be deleted: " + e);
        }
    }
}
