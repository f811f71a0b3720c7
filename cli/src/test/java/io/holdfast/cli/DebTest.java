package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the Debian package of the build: installs it into a directory with dpkg, and runs it from there. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class DebTest {

    private static final String FORCE =
            " --force-script-chrootless --force-not-root --force-depends --force-bad-path --log=/dev/null ";

    @TempDir
    private Path directory;

    @BeforeEach
    void require() {
        assumeTrue(PackagedCommand.shell("command -v dpkg >/dev/null"), "dpkg is not installed");
    }

    private static Path built() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.filter(file -> file.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow()
                    .toAbsolutePath();
        }
    }

    private PackagedCommand.Result exec(String shell) {
        return new PackagedCommand(directory).exec("sh", "-c", shell);
    }

    /** Returns the directory that is the root of the installation. */
    private Path installed() throws IOException {
        return installed("");
    }

    private Path installed(String variables) throws IOException {
        Path root = directory.resolve("root");
        for (String file : List.of("status", "available")) {
            Files.createDirectories(root.resolve("var/lib/dpkg/info"));
            Files.createFile(root.resolve("var/lib/dpkg").resolve(file));
        }
        PackagedCommand.Result result = exec(variables + "dpkg --root=" + root + FORCE + "-i " + built());
        assertThat(result.code()).as("%s", result).isZero();
        return root;
    }

    private static List<String> classArchives(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("usr/lib/holdfast/lib"))) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".jsa") || file.endsWith(".aot"))
                    .toList();
        }
    }

    @Test
    @Tag("evidence")
    void install_intoADirectory_runsACommandUnderALock() throws IOException {
        Path root = installed();
        try (RedisServers servers = RedisServers.start(3)) {
            PackagedCommand.Result result = PackagedCommand.on(directory, servers)
                    .exec(
                            root + "/usr/bin/holdfast",
                            "run",
                            "packaged",
                            "-n",
                            "--",
                            "sh",
                            "-c",
                            "echo $HOLDFAST_RESOURCE");

            assertThat(result).isEqualTo(new PackagedCommand.Result(0, "packaged\n", ""));
        }
    }

    @Test
    @Tag("evidence")
    void install_createsTheClassArchive_whichRemovalDeletes() throws IOException {
        Path root = installed();
        assertThat(classArchives(root)).hasSize(1);
        for (String unfinished : List.of("holdfast-17.jsa.1", "holdfast-25.aot.1", "holdfast-25.aot.1.config")) {
            Files.createFile(root.resolve("usr/lib/holdfast/lib").resolve(unfinished));
        }

        PackagedCommand.Result removal = exec("dpkg --root=" + root + FORCE + "-r holdfast");

        assertThat(removal.code()).as("%s", removal).isZero();
        assertThat(root.resolve("usr/lib/holdfast")).doesNotExist();
        assertThat(root.resolve("usr/bin/holdfast")).doesNotExist();
        assertThat(root.resolve("etc/holdfast/config"))
                .as("a file of the administrator")
                .exists();
    }

    /** A session of libpam-tmpdir may name a directory that does not exist. */
    @Test
    @Tag("evidence")
    void install_withoutADirectoryForTemporaryFiles_createsTheClassArchive() throws IOException {
        Path root = installed("TMPDIR=/nonexistent ");

        assertThat(classArchives(root)).hasSize(1);
        assertThat(root.resolve("usr/lib/holdfast/training")).doesNotExist();
    }

    @Test
    @Tag("evidence")
    void package_files_areWhereTheSystemLooksForThem() throws IOException {
        Path root = installed();

        assertThat(List.of(
                        "usr/share/man/man1/holdfast.1",
                        "usr/share/bash-completion/completions/holdfast",
                        "usr/lib/systemd/system/holdfast@.service",
                        "usr/lib/systemd/system/holdfast@.timer",
                        "usr/share/doc/holdfast/examples/holdfast.cron",
                        "usr/share/doc/holdfast/examples/holdfast-alerts.yml",
                        "usr/share/doc/holdfast/copyright"))
                .allSatisfy(file -> assertThat(root.resolve(file)).isRegularFile());
        assertThat(exec("dpkg-deb -f " + built() + " Package Version Depends").out())
                .contains("Package: holdfast", "default-jre-headless (>= 2:1.17) | java17-runtime-headless")
                .containsPattern("Version: \\d+\\.\\d+");
    }

    /** The comments in it are the settings, so that an administrator removes a sign and has a valid file. */
    @Test
    @Tag("evidence")
    void config_withoutItsCommentSigns_isValid() throws IOException {
        Path shipped = installed().resolve("etc/holdfast/config");
        Path file = Files.writeString(
                directory.resolve("config"),
                Files.readString(shipped).replaceAll("(?m)^#(?=nodes|user|max-lease)", ""));

        PackagedCommand.Result result = new PackagedCommand(directory)
                .with("HOLDFAST_CONFIG", file.toString())
                .with("HOLDFAST_PASSWORD", "of-the-user")
                .run("config", "check");

        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out()).contains("redis://a:6379,redis://b:6379,redis://c:6379", file.toString());
    }

    /** systemd would look for the programs that the units name in the running system. */
    @Test
    void units_verifiedBySystemd_haveNoErrors() throws IOException {
        assumeTrue(PackagedCommand.shell("command -v systemd-analyze >/dev/null"), "systemd is not installed");
        Path units = Files.createDirectories(directory.resolve("units"));
        for (String unit : List.of("holdfast@.service", "holdfast@.timer")) {
            String text = Files.readString(Path.of("src/dist/examples", unit));
            // systemd would turn each dash of a name such as nightly-backup into a slash.
            assertThat(text).contains("%i").doesNotContain("%I");
            Files.writeString(
                    units.resolve(unit.replace("@", "@nightly")), text.replace("/usr/bin/holdfast", "/bin/true"));
        }

        PackagedCommand.Result result = exec("systemd-analyze --man=no verify " + units + "/holdfast@nightly.service "
                + units + "/holdfast@nightly.timer");

        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.err().lines().filter(line -> line.contains("holdfast")))
                .isEmpty();
    }
}
