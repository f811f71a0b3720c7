package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.DetachedLeaseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code holdfast keep}, which renews the lease of a script, as a process on real servers. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class KeepTest extends CommandOnServers {

    /** Waits for a lock that was acquired for 5 s. */
    private static final String LONGER_THAN_THE_LEASE = "7s";

    private String acquired(String... options) {
        return handleOf(name, options);
    }

    private String handleOf(String lock, String... options) {
        return command()
                .run(words(new String[] {"acquire", lock}, options))
                .out()
                .strip();
    }

    private PackagedCommand with(String handle) {
        return command().with(DetachedLeaseOptions.VARIABLE, handle);
    }

    /** Returns a process that runs until it is ended. */
    private static Process script() throws IOException {
        return new ProcessBuilder("sleep", "1000").start();
    }

    private PackagedCommand.Running keeping(PackagedCommand command, String... words) {
        PackagedCommand.Running keeper = command.start(words(new String[] {"keep", "-v"}, words));
        eventually("the lock is renewed", () -> keeper.errors().contains("renewing '" + name + "'"));
        return keeper;
    }

    @Test
    @Tag("evidence")
    void keep_longerThanTheLease_holdsTheLockUntilStopped() throws IOException {
        Process script = script();
        String handle = acquired("--lease", "5s");
        PackagedCommand.Running keeper = keeping(with(handle), "--pid", "" + script.pid(), "--lease", "5s");

        assertThat(command()
                        .run("run", name, "-w", LONGER_THAN_THE_LEASE, "--", "true")
                        .code())
                .isEqualTo(75);
        keeper.signal("TERM");

        assertThat(keeper.end().code()).isZero();
        assertThat(script.isAlive()).isTrue();
        assertThat(with(handle).run("release").code())
                .as("the lock is still held")
                .isZero();
        script.destroy();
    }

    @Test
    @Tag("evidence")
    void keep_scriptEnds_letsTheLeaseEnd() throws IOException {
        Process script = script();
        PackagedCommand.Running keeper =
                keeping(with(acquired("--lease", "10s")), "--pid", "" + script.pid(), "--lease", "2s");

        script.destroyForcibly();

        assertThat(keeper.end().code()).isZero();
        assertThat(command().run("run", name, "-w", "30s", "--", "true").code()).isZero();
    }

    /** Java takes a zombie for alive. */
    @Test
    void keep_scriptBecomesAZombie_ends() throws IOException {
        try (Zombie zombie = Zombie.start(directory)) {
            PackagedCommand.Running keeper = keeping(with(acquired("--lease", "1m")), "--pid", zombie.pid());

            zombie.end();

            assertThat(keeper.end().code()).isZero();
            PackagedCommand.Result again = with(handleOf(name + "-2")).run("keep", "--pid", zombie.pid());
            assertThat(again.code()).isEqualTo(64);
            assertThat(again.err()).contains("there is no process " + zombie.pid());
        }
    }

    /** A process that ends while its parent, which does not ask for its exit code, runs. */
    private record Zombie(Process parent, String pid) implements AutoCloseable {

        static Zombie start(Path directory) throws IOException {
            Path file = directory.resolve("zombie");
            Process parent = new ProcessBuilder(
                            "sh", "-c", "sleep 1000 & echo $! >\"$0\"; exec sleep 1000", file.toString())
                    .start();
            eventually(
                    "the process runs",
                    () -> Files.exists(file) && !Files.readString(file).isEmpty());
            Path words = Path.of("/proc/" + parent.pid() + "/cmdline");
            eventually(
                    "the parent is no shell any more",
                    () -> Files.readString(words).startsWith("sleep"));
            return new Zombie(parent, Files.readString(file).strip());
        }

        void end() {
            assertThat(PackagedCommand.shell("kill -KILL " + pid)).isTrue();
        }

        @Override
        public void close() {
            parent.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({"kill, true", "warn, false"})
    void keep_lostLock_endsTheScriptUnlessOnlyAWarningIsWanted(String onLost, boolean ends) throws Exception {
        Process script = script();
        PackagedCommand.Running keeper =
                keeping(with(acquired("--lease", "1m")), "--pid", "" + script.pid(), "--on-lost", onLost);

        servers.forEach(server -> server.exec("DEL", name));

        assertThat(keeper.end().code()).isEqualTo(76);
        assertThat(keeper.errors()).contains("lost the lock '" + name + "'");
        if (ends) {
            assertThat(script.waitFor()).isEqualTo(143);
        } else {
            assertThat(script.isAlive()).isTrue();
            assertThat(keeper.errors()).doesNotContain("received TERM");
        }
        script.destroy();
    }

    @Test
    void keep_releasedByTheHandleFile_endsWithoutAWarning() throws IOException {
        Process script = script();
        acquired("--lease", "1m", "--handle-file", "job.lock");
        PackagedCommand.Running keeper = keeping(command(), "--pid", "" + script.pid(), "--handle-file", "job.lock");

        assertThat(command().run("release", "--handle-file", "job.lock").code()).isZero();

        assertThat(keeper.end().code()).isZero();
        assertThat(keeper.errors()).doesNotContain("lost");
        assertThat(script.isAlive()).isTrue();
        script.destroy();
    }

    /** The script in the help, which also shows that the parent is the default. */
    @ParameterizedTest
    @CsvSource({"--pid $$", "''"})
    @Tag("evidence")
    void keep_inAScript_holdsTheLockWhileTheScriptRuns(String option) throws IOException {
        Files.writeString(directory.resolve("script"), """
                HOLDFAST_HANDLE="$('LAUNCHER' acquire NAME -n --lease 5s)" || exit
                export HOLDFAST_HANDLE
                'LAUNCHER' keep OPTION --lease 5s & keeper=$!
                trap 'kill $keeper; 'LAUNCHER' release' EXIT
                until [ -e end ]; do sleep 0.02; done
                """.replace("LAUNCHER", PackagedCommand.LAUNCHER)
                .replace("NAME", name)
                .replace("OPTION", option));
        PackagedCommand.Running script = command().start(java.util.List.of("sh", "script"));
        eventually("the lock is held", () -> command().run("status", name).code() == 0);

        assertThat(command()
                        .run("run", name, "-w", LONGER_THAN_THE_LEASE, "--", "true")
                        .code())
                .isEqualTo(75);
        Files.createFile(directory.resolve("end"));

        assertThat(script.end()).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(command().run("status", name).code()).as("the lock is free").isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "keep --pid x, is not the id of a process",
        "keep --pid 999999999, there is no process 999999999",
        "keep --pid 1 --on-lost ask, is none of kill",
        "keep NAME --pid 1, is one word too many",
        "keep --pid 1, no handle"
    })
    void keep_wrongUsage_exits64WithTheRemedy(String line, String remedy) {
        PackagedCommand.Result result = command().run(line.split(" "));

        assertThat(result.err()).contains(remedy).hasLineCount(1);
        assertThat(result.code()).isEqualTo(64);
    }
}
