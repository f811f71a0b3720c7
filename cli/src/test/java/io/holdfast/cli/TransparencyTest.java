package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that {@code holdfast run} starts a command as the caller itself would: arguments, descriptors, limits, signals.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("transparency")
class TransparencyTest extends CommandOnServers {

    private static final int ARGUMENTS = 10_000;
    private static final int LONGEST_ARGUMENT = 20;

    /** Prints what a process inherits. Holdfast's variables, and those that every shell sets, are left out. */
    private static final String PROBE = """
            ls /proc/self/fd
            grep -E '^Sig(Blk|Ign)' /proc/self/status
            ulimit -a
            umask
            nice
            pwd
            env | grep -v -E '^(HOLDFAST_|BASH_VERSION=|_=|SHLVL=|OLDPWD=|PWD=|$)' | sort
            for argument; do printf '%s.' "$argument"; done
            """;

    private static final List<List<String>> STATES = List.of(
            List.of(
                    "exec 7>seven 8<&0",
                    "ulimit -Sn 512",
                    "umask 077",
                    "trap '' HUP",
                    "trap '' INT QUIT",
                    "trap '' PIPE USR1"),
            List.of(
                    "exec 3</dev/null 4</dev/null 5</dev/null 6</dev/null",
                    "set -- '*' '' 'a  b' '--' \"$(printf 'a\\nb')\" '\\\\'"),
            List.of(
                    "exec <&-",
                    "export POSIXLY_CORRECT=1",
                    "export CDPATH=.:/tmp BASH_VERSION=5",
                    "export LC_ALL=C LANG=de_DE",
                    "export JAVA_TOOL_OPTIONS=-Dx=y JDK_JAVA_OPTIONS=-Dx=y _JAVA_OPTIONS=-Dx=y"),
            List.of(
                    "exec >&-",
                    "export name=a value=b lock=c pid=d code=e stdin=f answers=g own_session=h java=i file=j others=k "
                            + "signal=l"),
            List.of(
                    "exec 2>&-",
                    "export home=\"$(printf 'a\\nb')\" lib=\"it's\" jar=\"$(printf 'b\\377r')\" words='$x \"`' "
                            + "retries=9"));

    /** Executes a script, in which {@code holdfast} is the launcher, executed by this shell. */
    private PackagedCommand.Result execute(String shell, String script) throws IOException {
        Path file = Files.writeString(
                directory.resolve("script"),
                "holdfast() { " + shell + " '" + PackagedCommand.LAUNCHER + "' \"$@\"; }\n" + script);
        return command().exec("setsid", "sh", file.toString());
    }

    static List<String> locales() {
        return Variants.first(1, Stream.of("C", "C.UTF-8", "xx_XX.nowhere"));
    }

    @ParameterizedTest
    @MethodSource("locales")
    void run_randomBytesInAnyLocale_passesThemUnchanged(String locale) throws IOException {
        Path file = directory.resolve("arguments");
        Files.write(file, randomArguments());

        PackagedCommand.Result result = execute(
                "sh",
                "LC_ALL=" + locale + " xargs -0 -a arguments -s 100000 '" + PackagedCommand.LAUNCHER + "' run " + name
                        + " -- printf '%s\\0' >printed");

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(directory.resolve("printed")).hasSameBinaryContentAs(file);
    }

    private static byte[] randomArguments() {
        Random random = new Random(42);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < ARGUMENTS; i++) {
            for (int length = 1 + random.nextInt(LONGEST_ARGUMENT); length > 0; length--) {
                bytes.write(1 + random.nextInt(255));
            }
            bytes.write(0);
        }
        return bytes.toByteArray();
    }

    static List<String> shells() {
        return Shells.tried();
    }

    /** Returns the states of a caller to try: in {@code verify} all of a group at once, in the evidence each alone. */
    private static List<String> states() {
        return Boolean.getBoolean("holdfast.evidence")
                ? Stream.concat(Stream.of(""), STATES.stream().flatMap(List::stream))
                        .toList()
                : STATES.stream().map(group -> String.join("\n", group)).toList();
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void run_anyState_isInheritedAsByADirectStart(String shell) throws IOException {
        Files.writeString(directory.resolve("probe"), PROBE);
        for (String state : states()) {
            Files.deleteIfExists(directory.resolve("direct"));
            Files.deleteIfExists(directory.resolve("held"));

            PackagedCommand.Result result = execute(
                    shell,
                    state + "\nsh -c '. ./probe >direct 2>/dev/null' sh \"$@\"\nholdfast run " + name
                            + " -- sh -c '. ./probe >held 2>/dev/null' sh \"$@\"");

            assertThat(result.err()).as(state).isEmpty();
            assertThat(directory.resolve("held")).as(state).hasSameBinaryContentAs(directory.resolve("direct"));
        }
    }

    /** Prints the variables of a process, except Holdfast's own and those that every shell sets. */
    private static final String VARIABLES = "env | grep -v -E "
            + "'^(HOLDFAST_(RESOURCE|FENCE|RESULT|EXIT_CODE|DURATION_MS|WAIT_MS|"
            + "OWNER|LEASE_MS|HELD|ATTEMPT|NODES)"
            + "|BASH_VERSION|_|SHLVL|OLDPWD|PWD)=|^$' | sort";

    /** Neither the launcher nor the part of it that retries may change what the caller has exported. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void run_variablesOfAnyName_reachTheHooksAndEachAttempt(String shell) throws IOException {
        Files.writeString(directory.resolve("variables"), VARIABLES);
        String exported =
                "export name=a value=b lock=c pid=d code=e stdin=f java=i directory=j signal=l retries=9 seconds=m"
                        + " received=n words=o flags=p self=q up=r now=s JAVA_TOOL_OPTIONS=-Dx=y LC_ALL=C "
                        + "PATH=\"$PATH:/none\"";

        PackagedCommand.Result result = execute(
                shell,
                exported + "\n. ./variables >direct\nholdfast run " + name
                        + " --retries 1 --on-success '. ./variables >hook' -- sh -c '. ./variables >command'");

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(directory.resolve("hook")).hasSameTextualContentAs(directory.resolve("direct"));
        assertThat(directory.resolve("command")).hasSameTextualContentAs(directory.resolve("direct"));
    }

    /** A bash takes functions from its environment. Here, they would replace a command and a function of the script. */
    @Test
    void run_functionsOfTheCaller_reachTheCommandOnly() {
        Assumptions.assumeTrue(PackagedCommand.shell("command -v bash"), "bash is not installed");
        String script = """
                command() { return 1; }
                report() { echo "that of the caller"; }
                export -f command report
                exec bash "$0" run "$1" -- bash -c report
                """;

        assertThat(command().exec("bash", "-c", script, PackagedCommand.LAUNCHER, name))
                .isEqualTo(new PackagedCommand.Result(0, "that of the caller\n", ""));
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void run_openDescriptor_reachesTheCommand(String shell) throws IOException {
        PackagedCommand.Result result = execute(
                shell, "echo seven >in; exec 7<in 9>out; holdfast run " + name + " -- sh -c 'cat <&7; echo 9 >&9'");

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "seven\n", ""));
        assertThat(directory.resolve("out")).hasContent("9\n");
    }

    /** Cron's locale has no letters beyond ASCII; the locale of a person has. */
    @Test
    void run_nameBeyondAscii_isTheSameLockInAllLocales() throws IOException {
        PackagedCommand.Result result = execute("sh", """
                LC_ALL=C.UTF-8 holdfast run büro -- sh -c '
                    LC_ALL=C; export LC_ALL; unset LANG HOLDFAST_HELD
                    "$1" run büro -n -- echo second; echo $?
                    "$1" run bäro -n -- sh -c "echo \\$HOLDFAST_RESOURCE"' sh '%s'
                """.formatted(PackagedCommand.LAUNCHER));

        assertThat(Files.readString(directory.resolve("script"), StandardCharsets.UTF_8))
                .contains("büro");
        assertThat(result.code()).isZero();
        assertThat(result.out()).isEqualTo("75\nbäro\n");
    }

    @Test
    void run_nameThatIsNoText_exits64() throws IOException {
        PackagedCommand.Result result = execute("sh", "holdfast run \"$(printf 'b\\377r')\" -n -- echo ran");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("not text in UTF-8");
        assertThat(result.out()).isEmpty();
    }

    /** Without its programs, the script would begin no session, and leave an unfinished class archive at each start. */
    @ParameterizedTest
    @MethodSource("shells")
    void run_pathWithoutTheProgramsOfTheSystem_beginsASessionAndLeavesNoFile(String shell) throws IOException {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Files.createSymbolicLink(programs.resolve("java"), Path.of(System.getProperty("java.home"), "bin/java"));
        assertThat(PackagedCommand.shell("ln -s \"$(command -v " + shell.split(" ", -1)[0] + ")\" " + programs))
                .isTrue();
        List<String> before = files();

        PackagedCommand.Result result = PackagedCommand.on(directory, servers)
                .by(shell.split(" ", -1))
                .with("PATH", programs.toString())
                .with("JAVA_HOME", "")
                .run(
                        "run",
                        name,
                        "--",
                        "/bin/sh",
                        "-c",
                        "read -r pid _ _ _ _ session _ </proc/self/stat; echo $((pid - session)) $PATH");

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "0 " + programs + "\n", ""));
        assertThat(files()).isEqualTo(before);
    }

    /** Returns the files beside the jar. */
    private static List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(PackagedCommand.JAR.getParent())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void run_deletedDirectory_runsTheCommand() throws IOException {
        PackagedCommand.Result result =
                execute("sh", "mkdir gone; cd gone; rmdir ../gone; holdfast run " + name + " -- echo ran");

        assertThat(result.code()).isZero();
        assertThat(result.out()).isEqualTo("ran\n");
    }

    /** A relative name must not lead to a file in another directory, such as the root. */
    @Test
    void run_deletedDirectoryAndRelativeHook_findsNoOtherProgram() throws IOException {
        PackagedCommand.Result result = execute(
                "sh",
                "mkdir gone; cd gone; rmdir ../gone; holdfast run " + name
                        + " --on-success 'bin/echo other' -- echo ran");

        assertThat(result.out()).isEqualTo("ran\n");
        assertThat(result.err()).contains("failed: it ended with 127").doesNotContain("other");
    }

    /** The directory can be used, although its former name no longer leads to it. */
    @Test
    void run_directoryWasMoved_keepsTheDirectory() throws IOException {
        PackagedCommand.Result result = execute(
                "sh",
                "mkdir -p first/work; cd first/work; mv ../../first ../../moved; holdfast run " + name
                        + " --on-success 'touch called' -- true; ls");

        assertThat(result.out()).isEqualTo("called\n");
    }

    @Test
    void run_emptyProgram_exits127() throws IOException {
        PackagedCommand.Result result = execute("sh", "holdfast run " + name + " -- ''");

        assertThat(result.code()).isEqualTo(127);
        assertThat(result.err()).isEqualTo("holdfast: the program '' has no name\n");
    }

    @Test
    void run_javaDoesNotStart_exits125AndPrintsNothingOnStdout() throws IOException {
        PackagedCommand.Result result = execute("sh", "ulimit -v 300000; holdfast run " + name + " -- echo ran");

        assertThat(result.code()).isEqualTo(125);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("holdfast: Java does not start within the limits of this process");
    }

    @Test
    void run_allDescriptorsInUse_exits125WithTheRemedy() throws IOException {
        PackagedCommand.Result result = execute(
                "sh", "for i in 3 4 5 6 7 8 9; do eval \"exec $i</dev/null\"; done; holdfast run x -- echo ran");

        assertThat(result.code()).isEqualTo(125);
        assertThat(result.err()).contains("descriptors 3 to 9 are in use");
    }

    @Test
    void run_programThatCannotBeRun_exitsLikeAShell() throws IOException {
        PackagedCommand.Result script = execute(
                "sh", "printf '#!/no/such/interpreter\\n' >bad; chmod +x bad; holdfast run " + name + " -- ./bad");
        PackagedCommand.Result folder = execute("sh", "holdfast run " + name + " -- /tmp");

        assertThat(script.code()).isEqualTo(127);
        assertThat(script.err())
                .isEqualTo("holdfast: './bad' cannot be run: its interpreter /no/such/interpreter does not exist\n");
        assertThat(folder.code()).isEqualTo(126);
        assertThat(folder.err()).isEqualTo("holdfast: '/tmp' is a directory, not a program\n");
    }

    /** The system would only say that a file does not exist, and `setsid` that its own program does not. */
    @ParameterizedTest
    @ValueSource(strings = {"#!/bin/sh", "#!/usr/bin/env sh"})
    void run_scriptWithLineEndsOfWindows_exits127WithTheReason(String line) throws IOException {
        PackagedCommand.Result script = execute(
                "sh",
                "printf '" + line + "\\r\\necho ran\\r\\n' >bad; chmod +x bad; holdfast run " + name + " -- ./bad");

        assertThat(script.code()).isEqualTo(127);
        assertThat(script.out()).isEmpty();
        assertThat(script.err())
                .startsWith("holdfast: './bad' cannot be run: its lines end with CR LF")
                .contains("sed -i 's/\\r$//' ./bad");
    }

    /** The exit code of Java must not become the command's, and its variables must not reach Java. */
    @Test
    void version_anyJavaOptions_printsNothingElse() throws IOException {
        PackagedCommand.Result result = execute("sh", "export JAVA_TOOL_OPTIONS=-Dx=y; holdfast --version");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
    }
}
