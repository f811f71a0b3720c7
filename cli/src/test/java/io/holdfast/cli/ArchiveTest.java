package io.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.script.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the archive that the build makes for the installation of the command. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ArchiveTest {

    private static final Path TARGET = Path.of("target");
    /** The directory in which the archive is unpacked for all tests. */
    private static final Path INSTALLED =
            Path.of(PackagedCommand.LAUNCHER).resolve("../..").normalize();

    @TempDir
    private Path directory;

    private Path unpacked() throws IOException {
        try (Stream<Path> files = Files.list(TARGET)) {
            Path archive = files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow();
            assertThat(PackagedCommand.shell("tar xzf " + archive.toAbsolutePath() + " -C " + directory))
                    .isTrue();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void archive_unpacked_runsTheCommand() throws IOException {
        Path home = unpacked();
        Path link = Files.createSymbolicLink(directory.resolve("linked"), home.resolve("bin/holdfast"));
        String version = directory.resolve("version").toString();

        assertThat(PackagedCommand.shell(link + " --version > " + version)).isTrue();

        assertThat(Files.readString(Path.of(version))).startsWith("holdfast ");
        assertThat(home.resolve("LICENSE")).exists();
        assertThat(classArchives(home)).hasSize(1);
    }

    @Test
    @Tag("evidence")
    void archive_upgradedJava_createsAnotherClassArchive() throws IOException {
        Path home = unpacked();
        Path java = directory.resolve("java");
        Files.createDirectories(java.resolve("bin"));
        Files.createSymbolicLink(java.resolve("bin/java"), Path.of(System.getProperty("java.home"), "bin", "java"));
        String run = "JAVA_HOME=" + java + " " + home.resolve("bin/holdfast") + " --version > /dev/null";

        Files.writeString(java.resolve("release"), "IMPLEMENTOR=\"us\"\nJAVA_RUNTIME_VERSION=\"17.0.1+2-b\"\n");
        assertThat(PackagedCommand.shell(run)).isTrue();
        assertThat(PackagedCommand.shell(run)).isTrue();
        assertThat(classArchives(home)).singleElement().asString().startsWith("holdfast-17.0.1+2-b.");

        Files.writeString(java.resolve("release"), "JAVA_RUNTIME_VERSION=\"17.0.2+3\"\n");
        assertThat(PackagedCommand.shell(run)).isTrue();
        assertThat(classArchives(home)).hasSize(2);
    }

    /** A class archive fits one jar only, so an installation that replaces the jar needs a new one. */
    @Test
    @Tag("evidence")
    void archive_otherJar_createsTheClassArchiveAgain() throws IOException {
        Path home = unpacked();
        Path jar = home.resolve("lib/holdfast.jar");
        String run = home.resolve("bin/holdfast") + " --version >/dev/null";
        assertThat(PackagedCommand.shell(run)).isTrue();
        Path archive = home.resolve("lib").resolve(classArchives(home).get(0));
        Object first = Files.readAttributes(archive, BasicFileAttributes.class).fileKey();
        assertThat(Files.getLastModifiedTime(archive)).isEqualTo(Files.getLastModifiedTime(jar));

        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000_000_000L));
        assertThat(PackagedCommand.shell(run)).isTrue();

        assertThat(Files.getLastModifiedTime(archive)).isEqualTo(Files.getLastModifiedTime(jar));
        assertThat(Files.readAttributes(archive, BasicFileAttributes.class).fileKey())
                .isNotEqualTo(first);
    }

    /** Returns the names of the class archives that Java has written. */
    private static List<String> classArchives(Path home) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".aot") || name.endsWith(".jsa"))
                    .toList();
        }
    }

    @Test
    void archive_jar_containsAllClassesAndNoLambdaOfHoldfast() throws IOException {
        try (JarFile jar = new JarFile(INSTALLED.resolve("lib/holdfast.jar").toFile())) {
            List<String> files = jar.stream().map(JarEntry::getName).toList();

            assertThat(files)
                    .contains("io/holdfast/Holdfast$Lambda1.class", "redis/clients/jedis/Connection.class")
                    .contains("io/holdfast/redis/script/acquire.lua", "META-INF/services/java.lang.System$LoggerFinder")
                    .doesNotHaveDuplicates();
            assertThat(new String(
                            jar.getInputStream(jar.getJarEntry("META-INF/LICENSES"))
                                    .readAllBytes(),
                            UTF_8))
                    .contains("QOS.ch", "Apache Commons");
        }
    }

    /** A wrong digest would make every call of a script take two round trips. */
    @Test
    void archive_jar_containsTheDigestsOfAllScripts() throws IOException {
        try (JarFile jar = new JarFile(INSTALLED.resolve("lib/holdfast.jar").toFile())) {
            String digests = new String(
                    jar.getInputStream(jar.getJarEntry("io/holdfast/redis/script/digests"))
                            .readAllBytes(),
                    UTF_8);

            assertThat(digests.lines())
                    .containsExactlyElementsOf(Script.digests())
                    .hasSizeGreaterThan(10);
        }
    }

    @Test
    void archive_manual_describesEveryCommandAndOption() throws IOException {
        String manual = Files.readString(INSTALLED.resolve("share/man/man1/holdfast.1"));
        List<String> commands = List.of(
                "run",
                "acquire",
                "renew",
                "release",
                "status",
                "list",
                "watch",
                "break",
                "doctor",
                "admit",
                "local up");

        assertThat(commands).allSatisfy(command -> assertThat(manual).contains(".SS \"" + command + "\""));
        assertThat(manual.lines().filter(line -> line.contains("\\-\\-password\\-file FILE")))
                .as("server options appear once")
                .hasSize(1);
        assertThat(manual)
                .contains(
                        "\\-\\-hold\\-at\\-least",
                        "\\-\\-on\\-lost",
                        "\\-\\-password\\-file",
                        "HOLDFAST_CONFIG",
                        "HOLDFAST_LOCAL_DIR")
                .contains(".SH ENVIRONMENT", ".SH \"EXIT STATUS\"", ".SH EXAMPLES", ".SH \"SEE ALSO\"")
                .doesNotContain("@|");
    }

    @ParameterizedTest
    @CsvSource({
        "holdfast sta, status",
        "holdfast ad, admit",
        "holdfast local st, status",
        "holdfast run x --hold-l, --hold-limit",
        "holdfast run x --ca LICEN, LICENSE",
        "holdfast run x --ca = LICEN, LICENSE",
        "holdfast run x -- xarg, xargs",
        "holdfast run x --on-lost k, kill",
        "holdfast run x --conf, --conflict-exit-code",
        "holdfast help ru, run",
        "holdfast help local st, status",
        "holdfast release --no-w, ''"
    })
    void archive_completion_completesTheLastWord(String line, String completed) throws IOException {
        Path found = directory.resolve("found");
        complete(line, line.replace(" = ", "="), found);

        assertThat(Files.readString(found).strip()).isEqualTo(completed);
    }

    /** Completes the last of these words, of what was typed. */
    private static void complete(String words, String typed, Path found) {
        int last = words.split(" ", -1).length - 1;
        assertThat(PackagedCommand.shell("cd " + INSTALLED
                        + " && bash -c 'source share/bash-completion/completions/holdfast; COMP_WORDS=(" + words
                        + "); COMP_CWORD=" + last + "; COMP_LINE=\"" + typed + "\"; COMP_POINT=${#COMP_LINE}"
                        + "; _complete_holdfast; printf \"%s\\n\" \"${COMPREPLY[@]}\" | sort -u > " + found + "'"))
                .isTrue();
    }

    /** Each client of the servers may choose names, which the shell of an administrator must not execute. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "job, job, job\\$\\(touch\\ hit\\)",
                "tick, tick, tick\\`touch\\ hit\\`",
                "it, it, it\\'s",
                "two, two, two\\ words",
                "all, all, all\\*",
                "order : 4, order:4, 42",
                "order :, order:, 42",
                "tenant = 4, tenant=4, 41",
                "tenant =, tenant=, 41",
                "mail @ h, mail@h, @host1"
            })
    void archive_completionOfNames_quotesThemAndExecutesNothing(String words, String typed, String completed)
            throws IOException {
        String names = Stream.of(
                        "job$(touch hit)",
                        "tick`touch hit`",
                        "it's",
                        "two words",
                        "all*",
                        "order:42",
                        "tenant=41",
                        "mail@host1")
                .map(name -> "{\"resource\":\"" + name + "\",\"held\":true}\n")
                .collect(Collectors.joining());
        Files.writeString(directory.resolve("names"), names);
        Path command = PackagedCommand.program(directory.resolve("list"), "#!/bin/sh\ncat " + directory + "/names\n");
        Path found = directory.resolve("found");

        complete(command + " status " + words, command + " status " + typed, found);

        assertThat(found).hasContent(completed + "\n");
        assertThat(INSTALLED.resolve("hit")).doesNotExist();
    }
}
