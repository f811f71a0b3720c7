package io.holdfast.cli.option;

import io.holdfast.DetachedLease;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Failure;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the handle of a lease is. It is a secret, so it is no argument, which other users of the machine can read. */
public final class DetachedLeaseOptions {

    public static final String VARIABLE = "HOLDFAST_HANDLE";

    private static final CommandOption FILE = CommandOption.of(
            "--handle-file",
            "FILE",
            "Where the handle of the lease is kept, readable by you alone. Default: `acquire` prints it, and `renew`"
                    + " and `release` find it in the environment variable " + VARIABLE + ".");

    public static final List<CommandOption> FLAGS = List.of(FILE);

    private final @Nullable Path file;

    private DetachedLeaseOptions(@Nullable Path file) {
        this.file = file;
    }

    public static DetachedLeaseOptions of(Arguments given) {
        return new DetachedLeaseOptions(given.value(FILE, Path::of).orElse(null));
    }

    public boolean isFile() {
        return file != null;
    }

    /** From where it was kept. */
    public DetachedLease read() {
        String text = file == null ? System.getenv().getOrDefault(VARIABLE, "") : contents(file);
        if (text.isBlank()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no handle: say " + VARIABLE
                            + "=\"$(holdfast acquire NAME)\" and export it, or give --handle-file to both");
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

    /** Where it is kept; whoever reads the file finds the old handle or the new one. */
    public void write(DetachedLease handle) {
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
    public void forget() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new Failure(ExitCode.INTERNAL, file + " cannot be deleted: " + e);
        }
    }
}
