package io.holdfast.cli.option;

import io.holdfast.DetachedLease;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.file.InputFile;
import io.holdfast.cli.file.Unreadable;
import io.holdfast.cli.output.FileFailure;
import io.holdfast.cli.output.LinkedFile;
import io.holdfast.cli.output.LockState;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

    /** Returns the place of a handle that exists. */
    public static DetachedLeaseOptions of(Arguments arguments) {
        return new DetachedLeaseOptions(arguments.value(FILE, Path::of).orElse(null));
    }

    /** Returns the place for a handle that will be written; it replaces a file, but never a device. */
    public static DetachedLeaseOptions forWriting(Arguments arguments) {
        DetachedLeaseOptions options = of(arguments);
        Path path = options.file;
        if (path != null) {
            requireNoDevice(path);
            requireDirectory(path);
        }
        return options;
    }

    private static void requireNoDevice(Path path) {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            String kind = Files.isDirectory(path) ? "a directory" : "a device or a pipe";
            throw new Failure(ExitCode.USAGE, "--handle-file " + path + " is " + kind + "; name a file");
        }
    }

    /** Otherwise the lock would be acquired, and released at once because its handle cannot be written. */
    private static void requireDirectory(Path path) {
        Path directory;
        try {
            directory = LinkedFile.target(path).getParent();
        } catch (IOException e) {
            throw Unreadable.of("the handle file " + path, e);
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--handle-file " + path + ": its directory does not exist; create it, or name another file");
        } else if (!Files.isWritable(directory)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--handle-file " + path + ": you may not write to its directory; name another file");
        }
    }

    public boolean isFile() {
        return file != null;
    }

    /**
     * Attaches to the lease of the handle. Waits for servers that are slow, as {@code acquire -n} does.
     *
     * @throws QuorumUnreachableException if too few servers can be used
     */
    public Lease attach(Holdfast holdfast, LockOptions options) throws InterruptedException {
        DetachedLease handle = read();
        ServerWait servers = new ServerWait(true);
        while (true) {
            try {
                return holdfast.attach(handle, options);
            } catch (QuorumUnreachableException e) {
                servers.pause(e, Duration.ZERO);
            }
        }
    }

    private DetachedLease read() {
        String text = file == null ? System.getenv().getOrDefault(VARIABLE, "") : contents(file);
        if (text.isBlank()) {
            throw new Failure(
                    ExitCode.USAGE,
                    "no handle: write " + VARIABLE + "=\"$(holdfast acquire NAME)\" || exit, then export " + VARIABLE
                            + "; or use --handle-file for both commands");
        }
        return DetachedLease.parse(text);
    }

    private static String contents(Path file) {
        try {
            return InputFile.text(file);
        } catch (NoSuchFileException e) {
            throw new Failure(
                    ExitCode.USAGE, "there is no handle file " + file + ": already released, or never acquired");
        } catch (IOException e) {
            throw Unreadable.of("the handle file " + file, e);
        }
    }

    /**
     * Fails if the file contains the handle of another lock that may be held under it: without the handle, that lock
     * could not be released. Servers that do not answer may hold it, and a server may lack the note of its holder, so
     * only the note of a later holder shows that the handle is of no use.
     *
     * @param resource the lock that will be acquired
     */
    public void requireNoHeldLock(LockAdmin admin, String resource) {
        Optional<DetachedLease> old = file == null ? Optional.empty() : existing(file);
        if (old.isEmpty() || old.get().resource().equals(resource)) {
            return;
        }
        LockStatus status = admin.status(old.get().resource());
        String handle = "--handle-file " + file + " contains the handle of '"
                + old.get().resource() + "', ";
        if (LockState.of(status) == LockState.UNKNOWN) {
            throw new Failure(
                    ExitCode.NO_QUORUM,
                    handle + "and too few servers answer to know whether that lock is held; try again, or name another"
                            + " file");
        }
        long token = old.get().fencingToken().value();
        if (status.held()
                .filter(holder -> holder.note().token().value() <= token)
                .isPresent()) {
            throw new Failure(ExitCode.USAGE, handle + "which is held; release that lock first, or name another file");
        }
    }

    private static Optional<DetachedLease> existing(Path file) {
        try {
            return Optional.of(DetachedLease.parse(InputFile.textOfFile(file)));
        } catch (IOException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    /** Writes the handle to the file, if there is one. A concurrent reader finds the old handle or the new one. */
    public void write(DetachedLease handle) {
        if (file == null) {
            return;
        }
        try {
            LinkedFile.replace(file, handle.text() + "\n", "rw-------");
        } catch (IOException e) {
            throw new Failure(
                    ExitCode.INTERNAL,
                    "the handle cannot be written to " + file + ": " + FileFailure.reasonToCreate(e)
                            + "; the lock has been released");
        }
    }

    /** Returns whether there was a file and {@code release} has deleted it. */
    public boolean isReleased() {
        return file != null && !Files.exists(file);
    }

    /** Deletes the file, since the handle has become useless; but no device, and no link to the file. */
    public void deleteFile() {
        try {
            if (file != null && Files.isRegularFile(file)) {
                Files.deleteIfExists(LinkedFile.target(file));
            }
        } catch (IOException e) {
            throw new Failure(ExitCode.INTERNAL, file + " cannot be deleted: " + e);
        }
    }
}
