package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory of this user that no other user can write to or read. Otherwise another user could put a link into it,
 * and let this user, perhaps root, overwrite any file. For the same reason, no file is opened through a link.
 */
final class PrivateDirectory {

    private static final Path THIS_PROCESS = Path.of("/proc/self");
    private static final int STICKY = 01000;
    private static final int ROOT = 0;

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY = permissions("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE = permissions("rw-------");

    private final Path path;

    private PrivateDirectory(Path path) {
        this.path = path;
    }

    private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /**
     * Creates the directory, or opens an existing one.
     *
     * @throws IllegalStateException if another user owns it or may access it, or may replace it by another directory
     */
    static PrivateDirectory open(Path path) {
        try {
            Files.createDirectories(path.getParent());
            PrivateDirectory directory = new PrivateDirectory(path);
            directory.create();
            directory.require(directory.isPrivate(), "is not a directory that only you may use");
            directory.requireOwnAncestors();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + path, e);
        }
    }

    /** Creates or opens a directory in this one. Rejects links in it, which an earlier version could have let in. */
    PrivateDirectory subdirectory(String name) throws IOException {
        PrivateDirectory directory = new PrivateDirectory(path.resolve(name));
        directory.create();
        directory.require(directory.isOwn(), "is not a directory of yours");
        try (Stream<Path> entries = Files.list(directory.path)) {
            directory.require(entries.noneMatch(Files::isSymbolicLink), "contains a symbolic link");
        }
        return directory;
    }

    private void create() throws IOException {
        try {
            Files.createDirectory(path, PRIVATE_DIRECTORY);
        } catch (FileAlreadyExistsException existing) {
            // It is checked below.
        }
    }

    private void require(boolean holds, String rule) throws IOException {
        if (!holds) {
            PosixFileAttributes attributes = attributes();
            throw new IllegalStateException(path + " " + rule + " (owner "
                    + attributes.owner().getName() + ", mode " + PosixFilePermissions.toString(attributes.permissions())
                    + "); let " + LocalServers.VARIABLE + " name another directory");
        }
    }

    private PosixFileAttributes attributes() throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private boolean isPrivate() throws IOException {
        return isOwn() && attributes().permissions().equals(PRIVATE_DIRECTORY.value());
    }

    private boolean isOwn() throws IOException {
        return attributes().isDirectory() && attributes().owner().equals(thisUser());
    }

    /** Rejects a directory that another user could replace, because that user may write to an ancestor of it. */
    private void requireOwnAncestors() throws IOException {
        UserPrincipal user = thisUser();
        for (Path ancestor = path.toRealPath().getParent(); ancestor != null; ancestor = ancestor.getParent()) {
            boolean isOurs = Files.getOwner(ancestor).equals(user) || isOwnedByRoot(ancestor);
            boolean isShared = Files.getPosixFilePermissions(ancestor).contains(PosixFilePermission.OTHERS_WRITE);
            require(
                    isOurs && (!isShared || isSticky(ancestor)),
                    "can be replaced by the users who may write to " + ancestor);
        }
    }

    private static boolean isOwnedByRoot(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid").equals(ROOT);
    }

    /** Returns whether only the owners of the entries of a directory may rename or delete them, as in {@code /tmp}. */
    private static boolean isSticky(Path directory) throws IOException {
        return ((int) Files.getAttribute(directory, "unix:mode") & STICKY) != 0;
    }

    /** Returns the effective user of this process, which owns the files that it creates. */
    static UserPrincipal thisUser() throws IOException {
        if (Files.exists(THIS_PROCESS)) {
            return Files.getOwner(THIS_PROCESS);
        }
        Path probe = Files.createTempFile("holdfast", "");
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }

    Path path() {
        return path;
    }

    /** Replaces a file of this directory, which only this user can read. A link is replaced, and not followed. */
    void write(String name, List<String> lines) throws IOException {
        Path file = Files.createTempFile(path, ".", ".new", PRIVATE_FILE);
        try {
            Files.write(file, lines);
            Files.move(file, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Opens a file of this directory for a lock, and creates it if necessary. */
    FileChannel openLockFile(String name) throws IOException {
        return FileChannel.open(
                path.resolve(name),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                PRIVATE_FILE);
    }
}
