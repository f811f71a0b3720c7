package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.testkit.fault.FaultProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code acquire}, {@code renew} and {@code release} as processes on real servers. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ScriptTest extends CommandOnServers {

    private static final Pattern SCRIPT = Pattern.compile(" *HOLDFAST_HANDLE=\"(?s:.*?)second-half\n");

    private PackagedCommand with(String handle) {
        return command().with(DetachedLeaseOptions.VARIABLE, handle);
    }

    @Test
    void acquire_freeLock_holdsItUntilReleasedByHandle() {
        PackagedCommand.Result acquired = command().run("acquire", name, "--lease", "1m");
        String handle = acquired.out().strip();

        assertThat(acquired.code()).isZero();
        assertThat(acquired.err()).isEmpty();
        assertThat(handle).matches("hf1:[!-~]+");
        assertThat(isHeld()).isTrue();
        assertThat(command().run("acquire", name, "-n")).isEqualTo(new PackagedCommand.Result(75, "", ""));
        assertThat(with(handle).run("renew", "--lease", "1m")).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(isHeld()).isTrue();
        assertThat(with(handle).run("release")).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(isHeld()).isFalse();
    }

    /** Each command is a process that ends before it would do that while it holds the lock. */
    @Test
    void renew_nameIsAboutToBeForgotten_keepsItListed() {
        String handle = command().run("acquire", name, "--lease", "30s").out().strip();
        String fence = "{" + name + "}:holdfast:fence";
        List<RedisServer> all = IntStream.range(0, 3).mapToObj(servers::get).toList();
        all.forEach(server -> server.exec("PEXPIRE", fence, "60000"));

        with(handle).run("renew", "--lease", "30s");

        assertThat(all)
                .filteredOn(server -> (Long) server.exec("PTTL", fence) > 60_000)
                .hasSizeGreaterThan(1);
    }

    @Test
    void renew_longerLease_extendsTheTimeOnTheServers() {
        String handle = command().run("acquire", name, "--lease", "30s").out().strip();
        assertThat(millisLeft()).isBetween(1L, 30_000L);

        assertThat(with(handle).run("renew", "--lease", "1m").code()).isZero();

        assertThat(millisLeft()).isGreaterThan(30_000L);
    }

    @Test
    void acquire_json_printsOneObject() {
        PackagedCommand.Result acquired = command().run("acquire", name, "--json");

        assertThat(acquired.out())
                .matches("\\{\"resource\":\"" + name + "\",\"handle\":\"hf1:[!-~]+\",\"fence\":\\d+,"
                        + "\"leaseMillis\":30000,\"validMillis\":\\d+}\n");
        String handle = acquired.out().replaceAll("(?s).*\"handle\":\"([^\"]+)\".*", "$1");
        assertThat(with(handle).run("renew", "--json").out()).contains("\"validMillis\":", "\"" + name + "\"");
    }

    /** The first commands of a process on a busy machine take as long as these, and there is no second attempt. */
    @Test
    void handle_serversAnswerAfterTheNodeTimeout_renewsAndReleases() {
        List<FaultProxy> network = servers.uris().stream().map(FaultProxy::to).toList();
        try {
            String addresses =
                    network.stream().map(proxy -> proxy.uri().toString()).collect(Collectors.joining(","));
            Supplier<PackagedCommand> slow = () -> command().with(NodesOptions.VARIABLE, addresses);
            String handle = slow.get().run("acquire", name).out().strip();
            network.forEach(proxy -> proxy.delay(Duration.ofMillis(50)));

            for (String command : List.of("renew", "release")) {
                PackagedCommand attached = slow.get().with(DetachedLeaseOptions.VARIABLE, handle);
                assertThat(attached.run(command)).isEqualTo(new PackagedCommand.Result(0, "", ""));
            }
        } finally {
            network.forEach(FaultProxy::close);
        }
    }

    @Test
    void acquire_handleFile_isPrivateAndDeletedOnRelease() throws IOException {
        Path file = directory.resolve("job.lock");

        assertThat(command().run("acquire", name, "--handle-file", "job.lock").out())
                .isEmpty();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(command().run("renew", "--handle-file", "job.lock").code()).isZero();
        assertThat(command().run("release", "--handle-file", "job.lock").code()).isZero();
        assertThat(file).doesNotExist();
        assertThat(isHeld()).isFalse();
    }

    /** Its writes wait for longer than a round; other tests use the other servers at the same time. */
    @Test
    @Tag("evidence")
    void renew_serverIsSlow_waitsAsAcquireDoes() {
        try (RedisServer own = RedisServer.start()) {
            PackagedCommand alone =
                    command().with(NodesOptions.VARIABLE, own.uri().toString());
            String handle = alone.run("acquire", name, "--lease", "1m").out().strip();

            own.exec("CLIENT", "PAUSE", "3000", "WRITE");

            assertThat(alone.with(DetachedLeaseOptions.VARIABLE, handle).run("renew", "--lease", "1m"))
                    .isEqualTo(new PackagedCommand.Result(0, "", ""));
        }
    }

    /** Deleting fails on a server of its own; other tests use the others at the same time. */
    @Test
    void release_tooFewServersConfirmIt_saysSoAndKeepsTheHandle() {
        Path file = directory.resolve("job.lock");
        try (RedisServer own = RedisServer.start()) {
            PackagedCommand alone =
                    command().with(NodesOptions.VARIABLE, own.uri().toString());
            assertThat(alone.run("acquire", name, "--handle-file", "job.lock").code())
                    .isZero();

            own.exec("ACL", "SETUSER", "default", "-del");
            PackagedCommand.Result unconfirmed = alone.run("release", "--handle-file", "job.lock");
            own.exec("ACL", "SETUSER", "default", "+del");

            assertThat(unconfirmed.code()).isEqualTo(69);
            assertThat(unconfirmed.err())
                    .contains("too few servers have confirmed the release of '" + name + "'; try again");
            assertThat(file).exists();
            assertThat(alone.run("release", "--handle-file", "job.lock"))
                    .isEqualTo(new PackagedCommand.Result(0, "", ""));
            assertThat(file).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"renew", "release"})
    void handle_lostLock_exits76AndAcquiresNothing(String command) {
        String handle = command().run("acquire", name).out().strip();
        servers.forEach(server -> server.exec("DEL", name));

        PackagedCommand.Result result = with(handle).run(command);

        assertThat(result.code()).isEqualTo(76);
        assertThat(result.err()).contains("lost the lock '" + name + "': its lease ended before it was renewed");
        assertThat(isHeld()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"renew", "release"})
    void handle_missingOrInvalid_exits64WithTheRemedy(String command) {
        PackagedCommand.Result missing = command().run(command);
        assertThat(missing.code()).isEqualTo(64);
        assertThat(missing.err()).contains("HOLDFAST_HANDLE=\"$(holdfast acquire NAME)\" || exit, then export");

        PackagedCommand.Result invalid = with("my secret").run(command);
        assertThat(invalid.code()).isEqualTo(64);
        assertThat(invalid.err())
                .contains("The handle of a lease looks like hf1:")
                .doesNotContain("my secret");
    }

    /** Returns the first script in a text, from its first assignment to its last line. */
    private static String scriptIn(String text) {
        Matcher script = SCRIPT.matcher(text);
        assertThat(script.find()).as("a script in %s", text).isTrue();
        return script.group().stripTrailing().stripIndent() + "\n";
    }

    private static String documentedScript() throws IOException {
        return scriptIn(Files.readString(Path.of("../docs/command.md")));
    }

    @Test
    void script_inTheHelpAndTheManual_isThatOfTheDocuments() throws IOException {
        String manual = Files.readString(Path.of("target/share/man/man1/holdfast.1"));

        assertThat(scriptIn(command().run("acquire", "--help").out())).isEqualTo(documentedScript());
        assertThat(scriptIn(manual.replace("\\&", "").replace("\\-", "-").replace("\\(aq", "'")))
                .isEqualTo(documentedScript());
    }

    /** Runs a script that calls the packaged command as `holdfast`, with this name in place of the lock's. */
    private PackagedCommand.Result sh(String script) throws IOException {
        program("first-half", "echo first-half runs");
        program("second-half", "echo second-half runs");
        program("holdfast", "exec '" + PackagedCommand.LAUNCHER + "' \"$@\"");
        Path file = Files.writeString(directory.resolve("script"), script.replace("nightly", name));
        return command().with("PATH", directory + ":" + System.getenv("PATH")).exec("sh", file.toString());
    }

    private void program(String file, String line) throws IOException {
        PackagedCommand.program(directory.resolve(file), "#!/bin/sh\n" + line + "\n");
    }

    @Test
    void script_heldLock_endsBeforeItsFirstCommand() throws IOException {
        PackagedCommand.Running holder = command().start("run", name, "-c", "touch held; exec sleep 1000");
        eventually("the lock is held", () -> Files.exists(directory.resolve("held")));

        PackagedCommand.Result result = sh(documentedScript());

        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(75);
        holder.process().destroy();
        holder.end();
    }

    @Test
    void script_freeLock_runsBothHalvesAndReleases() throws IOException {
        PackagedCommand.Result result = sh(documentedScript());

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "first-half runs\nsecond-half runs\n", ""));
        assertThat(isHeld()).isFalse();
    }

    @Test
    void script_failsBetweenItsCommands_releases() throws IOException {
        PackagedCommand.Result result = sh(documentedScript() + "exit 3\n");

        assertThat(result.code()).isEqualTo(3);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void release_otherSetOfServers_isRefusedAndChangesNothing() {
        // All servers learn of the set; an acquisition ends when two of them have voted.
        assertThat(command().run("admit").code()).isZero();
        String handle = command().run("acquire", name).out().strip();

        PackagedCommand.Result result =
                with(handle).run("release", "--nodes", servers.addresses().get(0));

        assertThat(result.code()).isEqualTo(69);
        assertThat(result.err()).contains("it belongs to a set of 3 nodes", "this client uses 1 node");
        assertThat(isHeld()).isTrue();
    }

    /** The name is too long for a file, which is known only when the file is written. */
    @Test
    void acquire_handleFileThatCannotBeWritten_releasesTheLock() throws IOException {
        PackagedCommand.Result result = command().run("acquire", name, "--handle-file", "job.lock".repeat(40));

        assertThat(result.code()).isEqualTo(125);
        assertThat(result.err()).contains("name too long; the lock has been released");
        assertThat(isHeld()).isFalse();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith(".holdfast"));
        }
    }

    /** Another client must not wait for a lock whose handle cannot be written. */
    @Test
    void acquire_handleFileWithoutDirectory_exits64BeforeTheLockIsTaken() throws IOException {
        Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere/job.lock"));

        for (String path : List.of("nowhere/job.lock", "dangling")) {
            assertThat(command().run("acquire", name, "--handle-file", path))
                    .isEqualTo(new PackagedCommand.Result(
                            64,
                            "",
                            "holdfast: --handle-file " + path
                                    + ": its directory does not exist; create it, or name another file\n"));
        }
    }

    /** The lock would be held until its lease ends, and no client could release it. */
    @Test
    void acquire_standardOutputIsClosed_exits64BeforeTheLockIsTaken() {
        String line = "exec \"$0\" acquire \"$@\" >&-";

        PackagedCommand.Result result = command().exec("sh", "-c", line, PackagedCommand.LAUNCHER, name);

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err())
                .isEqualTo("holdfast: standard output is closed, so the handle would be lost; give --handle-file, or"
                        + " read the output\n");
        assertThat(isHeld()).isFalse();
        assertThat(command()
                        .exec("sh", "-c", line, PackagedCommand.LAUNCHER, name, "--handle-file", "job.lock")
                        .code())
                .isZero();
    }

    /** A handle must not replace a device such as /dev/null. */
    @ParameterizedTest
    @CsvSource({"mkdir, a directory", "mkfifo, a device or a pipe"})
    void acquire_handleFileIsNoFile_exits64BeforeTheLockIsTaken(String make, String kind) {
        assertThat(PackagedCommand.shell("cd '" + directory + "'; " + make + " place; ln -s place link"))
                .isTrue();

        for (String path : List.of("place", "link")) {
            PackagedCommand.Result result = command().run("acquire", name, "--handle-file", path);

            assertThat(result.code()).isEqualTo(64);
            assertThat(result.err()).isEqualTo("holdfast: --handle-file " + path + " is " + kind + "; name a file\n");
        }
        assertThat(isHeld()).isFalse();
    }

    @Test
    void handleFile_symbolicLink_isFollowedAndKept() throws IOException {
        Path real = Files.createDirectory(directory.resolve("handles")).resolve("job.lock");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("handles/job.lock"));

        assertThat(command().run("acquire", name, "--handle-file", "link").code())
                .isZero();
        assertThat(real).isRegularFile();
        assertThat(link).isSymbolicLink();

        assertThat(command().run("release", "--handle-file", "link").code()).isZero();
        assertThat(real).doesNotExist();
        assertThat(link).isSymbolicLink();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void release_handleFromAPipe_leavesThePipe() throws IOException {
        String handle = command().run("acquire", name).out();
        Path pipe = directory.resolve("pipe");
        assertThat(PackagedCommand.shell("mkfifo '" + pipe + "'")).isTrue();

        PackagedCommand.Running release = command().start("release", "--handle-file", "pipe");
        Files.writeString(pipe, handle, StandardOpenOption.WRITE);

        assertThat(release.end().code()).isZero();
        assertThat(pipe).exists();
    }

    @Test
    void handle_missingFile_isExplained() {
        PackagedCommand.Result result = command().run("release", "--handle-file", "nowhere");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("there is no handle file nowhere: already released, or never acquired");
    }

    private boolean isHeld() {
        return new LockKeys(servers, name).isHeld();
    }

    /** Returns the longest time left on a server: a command may end before the third one has the lock. */
    private long millisLeft() {
        return IntStream.range(0, servers.count())
                .mapToLong(i -> Long.parseLong(String.valueOf(servers.get(i).exec("PTTL", name))))
                .max()
                .orElseThrow();
    }

    /** Without its handle, the first lock could not be released. */
    @Test
    void acquire_handleFileOfAnotherHeldLock_exits64AndKeepsTheHandle() {
        command().run("acquire", name, "--handle-file", "job.lock");

        PackagedCommand.Result second = command().run("acquire", name + "-2", "--handle-file", "job.lock");

        assertThat(second.code()).isEqualTo(64);
        assertThat(second.err())
                .isEqualTo("holdfast: --handle-file job.lock contains the handle of '" + name
                        + "', which is held; release that lock first, or name another file\n");
        assertThat(command().run("release", "--handle-file", "job.lock").code()).isZero();
        assertThat(command()
                        .run("acquire", name + "-2", "--handle-file", "job.lock")
                        .code())
                .isZero();
        assertThat(command().run("release", "--handle-file", "job.lock").code()).isZero();
    }

    /** The note of a holder is sent without a wait for the replies, so a server may lack it. */
    @Test
    @Tag("evidence")
    void acquire_handleFileOfAHeldLockWithoutNote_exits64AndKeepsTheHandle() {
        command().run("acquire", name, "--handle-file", "job.lock");
        servers.forEach(server -> server.exec("DEL", "{" + name + "}:holdfast:note"));

        assertThat(command()
                        .run("acquire", name + "-2", "--handle-file", "job.lock")
                        .code())
                .isEqualTo(64);
        assertThat(command().run("release", "--handle-file", "job.lock").code()).isZero();
    }

    /** Holdfast renews only the lock of `run`. */
    @Test
    void acquire_leaseOutOfRange_doesNotPromiseRenewal() {
        PackagedCommand.Result result = command().run("acquire", name, "--lease", "48h");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).isEqualTo("holdfast: --lease must be between 10ms and 24h\n");
    }
}
