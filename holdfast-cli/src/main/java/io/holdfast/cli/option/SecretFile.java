package io.holdfast.cli.option;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The permissions of a file that contains a password. */
final class SecretFile {

    private SecretFile() {}

    /**
     * Rejects a file that all users may change, and warns of a file that others may read or change.
     *
     * @param name the role of the file, such as {@code the password file}
     */
    static void check(String name, Path file, Terminal terminal) {
        Set<PosixFilePermission> permissions = permissions(file);
        String mode = " (mode " + PosixFilePermissions.toString(permissions) + "): chmod 600 " + file;
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new Failure(ExitCode.USAGE, name + " " + file + " can be changed by all users" + mode);
        } else if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.GROUP_READ)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            terminal.print("warning: other users may read the password in " + file + mode);
        }
    }

    /** Returns the permissions; none for a pipe or a file that cannot be read, which its reader reports. */
    private static Set<PosixFilePermission> permissions(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.getPosixFilePermissions(file) : Set.of();
        } catch (IOException | UnsupportedOperationException unknown) {
            return Set.of();
        }
    }
}
