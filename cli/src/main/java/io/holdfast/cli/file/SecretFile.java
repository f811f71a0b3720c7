package io.holdfast.cli.file;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The permissions of a file that contains a secret. As for the keys of PostgreSQL's libpq, a group may read a file of
 * root: that is how jobs of several users share a password.
 */
public final class SecretFile {

    private static final String ROOT = "root";

    private SecretFile() {}

    /**
     * Rejects a file that all users may change, and warns of a file that others may read or change.
     *
     * @param name the role of the file, such as {@code the password file}
     * @param secret what the file contains, such as {@code the password}
     */
    public static void check(String name, String secret, Path file, Terminal terminal) {
        try {
            if (Files.isRegularFile(file)) {
                PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
                check(name, secret, file, attributes, terminal);
            }
        } catch (IOException | UnsupportedOperationException unknown) {
            // A file that cannot be read is reported by its reader.
        }
    }

    private static void check(
            String name, String secret, Path file, PosixFileAttributes attributes, Terminal terminal) {
        Set<PosixFilePermission> permissions = attributes.permissions();
        boolean isOfRoot = attributes.owner().getName().equals(ROOT);
        String mode = " (mode " + PosixFilePermissions.toString(permissions) + "): chmod "
                + (isOfRoot && permissions.contains(PosixFilePermission.GROUP_READ) ? "640 " : "600 ") + file;
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new Failure(ExitCode.USAGE, name + " " + file + " can be changed by all users" + mode);
        } else if (isExposed(permissions, isOfRoot)) {
            terminal.print("warning: other users may read " + secret + " in " + file + mode);
        }
    }

    /** Returns whether users may read or change the file whom its owner has not chosen for certain. */
    static boolean isExposed(Set<PosixFilePermission> permissions, boolean isOfRoot) {
        return permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)
                || (permissions.contains(PosixFilePermission.GROUP_READ) && !isOfRoot);
    }
}
