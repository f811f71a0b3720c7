package io.holdfast.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The file to which symbolic links lead, which is replaced instead of the links. */
public final class LinkedFile {

    /** Linux follows as many symbolic links. */
    private static final int MOST_LINKS = 40;

    private static final FileAttribute<Set<PosixFilePermission>> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private LinkedFile() {}

    /** Returns the absolute path of the file to which the path leads; it need not exist. */
    public static Path target(Path path) throws IOException {
        Path target = path.toAbsolutePath();
        for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(target); links++) {
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /**
     * Replaces the file to which the path leads, or creates it. A concurrent reader finds the old contents or the new
     * ones, and no other user can read the new ones before.
     *
     * @param permissions such as {@code rw-r--r--}
     */
    public static void replace(Path path, String text, String permissions) throws IOException {
        Path target = target(path);
        Path temporary = Files.createTempFile(target.getParent(), ".holdfast", ".tmp", OWN);
        try {
            Files.writeString(temporary, text);
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(permissions));
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            // It exists only if it did not become the file, as on a full disk.
            Files.deleteIfExists(temporary);
        }
    }
}
