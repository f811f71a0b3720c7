package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {

    private static final int OTHER_USER = 65_534;

    @TempDir
    private Path temporary;

    private Path path;
    private Path victim;

    @BeforeEach
    void createVictim() throws IOException {
        path = temporary.resolve("private");
        victim = Files.writeString(temporary.resolve("victim"), "precious");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static void giveToAnotherUser(Path file) throws IOException {
        Files.setAttribute(file, "unix:uid", OTHER_USER);
    }

    @Test
    void open_noDirectory_createsItForThisUserOnly() throws IOException {
        PrivateDirectory directory = PrivateDirectory.open(path);
        directory.write("file", List.of("secret"));
        directory.openLockFile("lock").close();

        assertThat(permissions(path)).isEqualTo("rwx------");
        assertThat(permissions(path.resolve("file"))).isEqualTo("rw-------");
        assertThat(permissions(path.resolve("lock"))).isEqualTo("rw-------");
        assertThat(permissions(directory.subdirectory("sub").path())).isEqualTo("rwx------");
        assertThat(path.toFile().list()).containsExactlyInAnyOrder("file", "lock", "sub");
    }

    @Test
    void open_directoryForAll_isRejectedWithOwnerAndMode() throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> PrivateDirectory.open(path))
                .hasMessageStartingWith(path + " is not a directory that only you may use (owner ")
                .hasMessageContaining("mode rwxrwxrwx")
                .hasMessageContaining(LocalServers.VARIABLE);
    }

    @Test
    void open_fileOrLink_isRejected() throws IOException {
        assertThatThrownBy(() -> PrivateDirectory.open(victim)).hasMessageContaining("is not a directory");

        Path target = Files.createDirectory(
                temporary.resolve("target"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(path, target);
        assertThatThrownBy(() -> PrivateDirectory.open(path)).hasMessageContaining("is not a directory");
    }

    /** Root may write to the directory of any user, so permissions do not show whose it is. */
    @Test
    void open_directoryOfAnotherUser_isRejected() throws IOException {
        assumeTrue(isRoot());
        PrivateDirectory.open(path);
        giveToAnotherUser(path);

        assertThatThrownBy(() -> PrivateDirectory.open(path))
                .hasMessageMatching(
                        ".* is not a directory that only you may use \\(owner (?!root).*, mode rwx------\\); .*");
    }

    @Test
    void open_parentOfAnotherUser_isRejected() throws IOException {
        assumeTrue(isRoot());
        Path parent = Files.createDirectory(temporary.resolve("parent"));
        PrivateDirectory.open(parent.resolve("private"));
        giveToAnotherUser(parent);

        assertThatThrownBy(() -> PrivateDirectory.open(parent.resolve("private")))
                .hasMessageContaining("can be replaced by the users who may write to " + parent);
    }

    @Test
    void open_parentForAll_isRejectedUnlessEntriesBelongToTheirOwners() throws IOException {
        PrivateDirectory.open(path);
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> PrivateDirectory.open(path)).hasMessageContaining("can be replaced");

        Files.setAttribute(temporary, "unix:mode", 01777);
        assertThat(PrivateDirectory.open(path).path()).isEqualTo(path);
    }

    @Test
    void write_linkToAnotherFile_replacesTheLink() throws IOException {
        PrivateDirectory directory = PrivateDirectory.open(path);
        Files.createSymbolicLink(path.resolve("file"), victim);

        directory.write("file", List.of("new"));

        assertThat(victim).hasContent("precious");
        assertThat(path.resolve("file")).hasContent("new").isRegularFile();
    }

    @Test
    void openLockFile_linkToAnotherFile_fails() throws IOException {
        PrivateDirectory directory = PrivateDirectory.open(path);
        Files.createSymbolicLink(path.resolve("lock"), victim);

        assertThatThrownBy(() -> {
                    try (FileChannel lock = directory.openLockFile("lock")) {
                        lock.force(true);
                    }
                })
                .isInstanceOf(IOException.class);
        assertThat(victim).hasContent("precious");
    }

    /** A redis-server follows links when it writes its log. */
    @Test
    void subdirectory_containsALink_isRejected() throws IOException {
        PrivateDirectory directory = PrivateDirectory.open(path);
        Path inner = directory.subdirectory("server-0").path();
        Files.createSymbolicLink(inner.resolve("redis.log"), victim);

        assertThatThrownBy(() -> directory.subdirectory("server-0")).hasMessageContaining("contains a symbolic link");
    }

    @Test
    void subdirectory_ofAnotherUser_isRejected() throws IOException {
        assumeTrue(isRoot());
        PrivateDirectory directory = PrivateDirectory.open(path);
        giveToAnotherUser(directory.subdirectory("server-0").path());

        assertThatThrownBy(() -> directory.subdirectory("server-0"))
                .hasMessageContaining("is not a directory of yours");
    }
}
