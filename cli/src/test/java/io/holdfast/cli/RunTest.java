package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code holdfast run} as a process on real servers. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class RunTest extends CommandOnServers {

    private static final String SLEEP = "sleep 1000";
    /** Short enough to wait for its end, and long enough for a slow machine to start a command and to renew it. */
    private static final String LEASE = "10s";

    private PackagedCommand on(RedisServers nodes) {
        return PackagedCommand.on(directory, nodes);
    }

    /** The holder is named on an interactive terminal, and not in a log file. */
    @Test
    @Tag("evidence")
    void run_waitingAtATerminal_showsTheHolder() throws IOException {
        PackagedCommand.Running holder = command().start("run", name, "--", "sleep", "30");
        eventually("the lock is held", this::isHeld);
        Path screen = directory.resolve("screen");
        String line = PackagedCommand.LAUNCHER + " run " + name + " -w 4s --nodes "
                + String.join(",", servers.addresses()) + " -- true";

        assertThat(PackagedCommand.shell("script -qefc '" + line + "' " + screen + " >/dev/null"))
                .isFalse();
        PackagedCommand.Result noTerminal = command().run("run", name, "-w", "2s", "--", "true");

        assertThat(Files.readString(screen)).containsOnlyOnce("waiting: '" + name + "' is held by");
        assertThat(noTerminal.err()).doesNotContain("waiting");
        holder.process().destroyForcibly();
    }

    @Test
    void run_freeLock_printsNothingAndReturnsTheExitCode() {
        PackagedCommand.Result result =
                command().run("run", name, "--", "sh", "-c", "cat; echo out; echo err >&2; exit 7");

        assertThat(result).isEqualTo(new PackagedCommand.Result(7, "Linux\nout\n", "err\n"));
    }

    @Test
    void run_freeLock_setsTheEnvironment() {
        String script = "echo \"$HOLDFAST_RESOURCE $HOLDFAST_LEASE_MS $HOLDFAST_FENCE $HOLDFAST_OWNER\"";
        String[] words = command()
                .run("run", name, "--lease", "50s", "--", "sh", "-c", script)
                .out()
                .strip()
                .split(" ");

        assertThat(words).hasSize(4).startsWith(name, "50000");
        assertThat(Long.parseLong(words[2])).isPositive();
        assertThat(words[3]).hasSizeGreaterThan(25);
    }

    @Test
    void run_verbose_printsEachStep() {
        String words = command()
                .run("run", name, "-v", "--jitter", "2ms", "--fair", "--", "true")
                .err();

        assertThat(words).contains("holdfast: acquired '" + name + "'", "the lock is released");
    }

    @Test
    void run_passwordInTheEnvironment_connects() {
        try (RedisServers locked = RedisServers.start(1, RedisServerOptions.DEFAULT.withPassword("p-w_1"))) {
            assertThat(on(locked).run("run", name, "--", "true").code()).isZero();
        }
    }

    @Test
    void run_heldByAnother_waitsForTheRelease() throws IOException {
        Path log = directory.resolve("log");
        PackagedCommand.Running first = command()
                .start(
                        "run",
                        name,
                        "--",
                        "sh",
                        "-c",
                        "echo first in >>log; until [ -e go ]; do sleep 0.02; done; echo first out >>log");
        awaitLine(log, "first in");
        PackagedCommand.Running second = command().start("run", name, "-v", "--", "sh", "-c", "echo second in >>log");
        awaitWaiter();
        Files.createFile(directory.resolve("go"));

        assertThat(first.end().code()).isZero();
        assertThat(second.end().code()).isZero();
        assertThat(log).hasContent("first in\nfirst out\nsecond in\n");
    }

    @Test
    void run_heldAndNoWait_exits75WithoutAMessage() {
        PackagedCommand.Running holder = hold();

        assertThat(command().run("run", name, "-n", "--", "true")).isEqualTo(new PackagedCommand.Result(75, "", ""));
        assertThat(command().run("run", name, "-n", "-E", "9", "--", "true").code())
                .isEqualTo(9);
        end(holder);
    }

    /** A machine that needs longer for its connections reports that it has too few servers. */
    @Test
    @Tag("evidence")
    void run_heldLongerThanTheWait_exits75AndNamesTheHolder() {
        PackagedCommand.Running holder = hold();

        PackagedCommand.Result result = command().run("run", name, "-w", "1s", "--", "true");

        assertThat(result.code()).as("%s", result).isEqualTo(75);
        assertThat(result.err())
                .matches("holdfast: '" + name + "' is held by .*, pid "
                        + holder.process().pid()
                        + " \\(sh\\) since \\d\\d:\\d\\d:\\d\\d; gave up after \\d+\\.\\d s\n");
        end(holder);
    }

    @Test
    void run_noQuorum_exits69WithTheCauseInOneLine() {
        try (RedisServers dead = RedisServers.start(3)) {
            dead.get(0).kill();
            dead.get(1).kill();

            PackagedCommand.Result result = on(dead).run("run", name, "-n", "--", "true");

            assertThat(result.code()).isEqualTo(69);
            assertThat(result.err()).contains("2 of 3 servers cannot be used", "connection refused");
            assertThat(result.err().lines()).hasSize(1);
        }
    }

    @Test
    void run_oneOfThreeDead_acquires() {
        try (RedisServers nodes = RedisServers.start(3)) {
            nodes.get(1).kill();

            assertThat(on(nodes).run("run", name, "--", "echo", "in"))
                    .isEqualTo(new PackagedCommand.Result(0, "in\n", ""));
        }
    }

    /**
     * The quarantine, here of more than an hour, ends only while a client is connected, so a command waits for its end
     * even with {@code -n}.
     */
    @Test
    void run_newServers_printsTheReasonOfTheWaitAndTheRemedy() {
        try (RedisServers fresh = RedisServers.start(3)) {
            fresh.forEach(server -> server.exec("DEL", "holdfast:marker"));
            PackagedCommand on = on(fresh);
            PackagedCommand.Running waiter = on.start("run", name, "-n", "--max-lease", "1h", "--", "echo", "in");
            eventually("the reason is printed", () -> waiter.errors().matches("(?s).*no vote for another \\d+ s.*"));
            // On a slow machine, a server that answers later has a line of its own.
            assertThat(waiter.errors().lines()).allMatch(line -> line.contains("`holdfast admit` ends the wait"));

            // The input on stdin is not a yes.
            PackagedCommand.Result asked = on.run("admit", "--max-lease", "1h");
            assertThat(asked.code()).isEqualTo(1);
            assertThat(asked.err()).contains("admit 3 of 3 servers?", "Type yes", "no server was admitted");

            PackagedCommand.Result admission = on.run("admit", "--max-lease", "1h", "--force");

            assertThat(admission.code()).isZero();
            assertThat(admission.err()).isEmpty();
            assertThat(admission.out().lines()).hasSize(3).allMatch(line -> line.endsWith(" votes"));
            assertThat(waiter.end().out()).isEqualTo("in\n");
        }
    }

    /** A machine that needs longer than the lease to start a command loses the lock, and says so. */
    @Test
    @Tag("evidence")
    void run_allServersRestarted_waitsUntilTheyVote() {
        try (RedisServers fresh = RedisServers.start(3)) {
            fresh.forEach(server -> server.exec("DEL", "holdfast:marker"));
            PackagedCommand on = on(fresh);
            String[] start = {"run", name, "--max-lease", "5s", "--lease", "5s"};

            PackagedCommand.Result tooShort = on.run(words(start, "-w", "100ms", "--", "true"));
            PackagedCommand.Result noWait = on.run(words(start, "-n", "--", "true"));

            assertThat(tooShort.code()).isEqualTo(69);
            // Within 100 ms, a busy server may not answer at all.
            assertThat(tooShort.err()).containsAnyOf("in quarantine for", "no answer");
            assertThat(noWait.code()).as("%s", noWait).isZero();
        }
    }

    @Test
    @Tag("evidence")
    void run_evenNumberOfNodes_warnsOnlyWithVerbose() {
        try (RedisServers two = RedisServers.start(2)) {
            PackagedCommand.Result result = on(two).run("run", name, "--", "true");

            assertThat(result).isEqualTo(new PackagedCommand.Result(0, "", ""));
            assertThat(on(two).run("doctor").out())
                    .contains("an even number of servers survives no more failures than 1");
            assertThat(on(two).run("run", name, "-v", "--", "true").err())
                    .contains("An even number of nodes: 2 survive no more failures than 1 do; use 1 or 3");
        }
    }

    @Test
    void run_restartsAtOnce_warnsOnlyWithVerbose() {
        PackagedCommand.Result result = command().run("run", name, "--restarts", "at-once", "--", "true");

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(command()
                        .run("run", name, "-v", "--restarts", "at-once", "--", "true")
                        .err())
                .contains("two holders are possible", "for development only");
    }

    @Test
    void admit_deadServer_exits69WithTheCause() {
        try (RedisServers nodes = RedisServers.start(1)) {
            nodes.get(0).kill();

            PackagedCommand.Result admission = on(nodes).run("admit");

            assertThat(admission.code()).isEqualTo(69);
            assertThat(admission.out()).contains("does not vote: not connected");
        }
    }

    /** All other wrong options are tested without a process. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run NAME --nodes redis://:secret@a -- true|all users of this machine can see",
                "nope|see `holdfast --help`",
                "local up --count 10|is not a number of servers from 1 to 9"
            })
    void command_wrongUsage_exits64WithTheRemedy(String line, String remedy) {
        PackagedCommand.Result result = command().run(line.replace("NAME", name).split(" "));

        assertThat(result.err()).contains(remedy).doesNotContain("secret", "Exception");
        assertThat(result.code()).isEqualTo(64);
    }

    @Test
    void run_noNodes_exits64WithTheRemedy() {
        PackagedCommand.Result result = new PackagedCommand(directory).run("run", name, "--", "true");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("--nodes redis://", NodesOptions.VARIABLE, "--local");
    }

    static List<Arguments> signals() {
        return Variants.first(
                3,
                Stream.of(
                        Arguments.of("TERM", 143),
                        Arguments.of("INT", 130),
                        Arguments.of("USR1", 138),
                        Arguments.of("HUP", 129),
                        Arguments.of("QUIT", 131),
                        Arguments.of("USR2", 140)));
    }

    @ParameterizedTest
    @MethodSource("signals")
    void signal_whileTheCommandRuns_reachesItsProcessGroup(String signal, int code) throws IOException {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "--",
                        "sh",
                        "-c",
                        "sh -c 'echo $$ >grandchild; echo in >log; exec sleep 1000'; exit 3");
        awaitLine(directory.resolve("log"), "in");
        String grandchild = Files.readString(directory.resolve("grandchild")).strip();

        holder.signal(signal);

        assertThat(holder.end().code()).isEqualTo(code);
        eventually("the grandchild has ended", () -> PackagedCommand.hasEnded(grandchild));
        assertThat(isHeld()).isFalse();
    }

    /** The lock is held until the command has cleaned up. */
    @Test
    void signal_commandThatCleansUp_holdsTheLockUntilItEnds() throws IOException {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "--",
                        "sh",
                        "-c",
                        "trap 'echo caught >>log; until [ -e go ]; do sleep 0.02; done; exit 5' TERM; echo in >log; "
                                + "while :; do sleep 0.02; done");
        awaitLine(directory.resolve("log"), "in");

        holder.signal("TERM");
        awaitLine(directory.resolve("log"), "caught");
        assertThat(isHeld()).isTrue();
        Files.createFile(directory.resolve("go"));

        assertThat(holder.end().code()).isEqualTo(5);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void run_holdAtLeast_holdsTheLockAfterTheCommandUntilASignal() {
        PackagedCommand.Running holder =
                command().start("run", name, "-v", "--hold-at-least", "1h", "--", "sh", "-c", "echo in >log; exit 3");
        eventually("the command has ended", () -> holder.errors().contains("the lock is held for another"));
        assertThat(command().run("run", name, "-n", "--", "true").code()).isEqualTo(75);

        holder.signal("TERM");

        assertThat(holder.end().code()).isEqualTo(3);
        assertThat(isHeld()).isFalse();
    }

    /** A command that takes as long by itself holds the lock no longer. */
    @Test
    @Tag("evidence")
    void run_shortHoldAtLeast_releasesAfterTheTime() {
        assertThat(command()
                        .run("run", name, "-v", "--hold-at-least", "5s", "--", "true")
                        .err())
                .contains("held for the minimum time");
    }

    @Test
    void run_insideItself_exits64() {
        String nested = "'" + PackagedCommand.LAUNCHER + "' run ";

        PackagedCommand.Result same = command()
                .run(
                        "run",
                        name,
                        "--",
                        "sh",
                        "-c",
                        nested + name + "-b -- sh -c \"" + nested.replace("'", "") + name + " -- true\"");
        PackagedCommand.Result other = command().run("run", name, "--", "sh", "-c", nested + name + "-b -- true");
        PackagedCommand.Result acquired =
                command().run("run", name, "--", "sh", "-c", "'" + PackagedCommand.LAUNCHER + "' acquire " + name);

        assertThat(same.code()).isEqualTo(64);
        assertThat(same.err()).contains("'" + name + "' is held by the enclosing `holdfast run`");
        assertThat(other.code()).isZero();
        assertThat(acquired.code()).isEqualTo(64);
    }

    /** A name is another lock on other servers. */
    @Test
    @Tag("evidence")
    void run_insideItselfOnOtherServers_acquires() {
        try (RedisServers others = RedisServers.start(1)) {
            String inner = "'" + PackagedCommand.LAUNCHER + "' run " + name + " --nodes "
                    + others.addresses().get(0) + " -- true";

            assertThat(command().run("run", name, "--", "sh", "-c", inner).code())
                    .isZero();
        }
    }

    /** The environment of a daemon outlives the lock. */
    @Test
    @Tag("evidence")
    void run_daemonOfAnEarlierRun_acquires() {
        String daemon = "until [ -e go ]; do sleep 0.02; done; '" + PackagedCommand.LAUNCHER + "' run " + name
                + " -- touch done";
        assertThat(command()
                        .run("run", name, "--", "setsid", "-f", "sh", "-c", daemon)
                        .code())
                .isZero();

        PackagedCommand.shell("touch '" + directory.resolve("go") + "'");

        eventually("the daemon has run a command", () -> Files.exists(directory.resolve("done")));
    }

    @Test
    void interruptedTwice_commandThatIgnoresInterrupts_receivesTermThenKill() throws IOException {
        PackagedCommand.Running holder =
                command().start("run", name, "--", "sh", "-c", "trap '' INT; echo in >log; exec sleep 1000");
        awaitLine(directory.resolve("log"), "in");

        holder.signal("INT");
        eventually("the command is terminated or killed", () -> {
            holder.signal("INT");
            return !holder.process().isAlive();
        });

        assertThat(holder.end().code()).isIn(143, 137);
        // So many interrupts may end the launcher before the release is confirmed.
        eventually("the lock is released", () -> !isHeld());
    }

    /** A shell begins with the next signal within the handler of the last, and dash ends at some depth. */
    @Test
    void interrupted_fasterThanSignalsAreForwarded_endsTheCommand() {
        assumeTrue(PackagedCommand.shell("dash -c :"), "dash is not installed");
        PackagedCommand.Running holder =
                command().by("dash").start("run", name, "--", "sh", "-c", "trap '' INT; echo in >log; exec sleep 1000");
        awaitLine(directory.resolve("log"), "in");

        PackagedCommand.shell("i=0; while [ $i -lt 20000 ] && sh -c 'kill -s INT "
                + holder.process().pid() + "' 2>/dev/null; do i=$((i + 1)); done");

        assertThat(holder.end().code()).isIn(143, 137);
    }

    /** On a busy machine, a search for the processes of the command takes longer than the next signal needs. */
    @Test
    void terminated_againInEachSearchForProcesses_endsTheCommand() throws IOException {
        Path launcher = directory.resolve("launcher");
        Path programs = Files.createDirectory(directory.resolve("programs"));
        PackagedCommand.program(
                programs.resolve("grep"),
                "#!/bin/sh\n[ ! -s '" + launcher + "' ] || kill -s TERM \"$(cat '" + launcher
                        + "')\"\nPATH=\"${PATH#*:}\" exec grep \"$@\"\n");
        PackagedCommand.Running holder = command()
                .with("PATH", programs + ":" + System.getenv("PATH"))
                .start("run", name, "--", "sh", "-c", "echo in >log; exec sleep 1000");
        awaitLine(directory.resolve("log"), "in");
        Files.writeString(launcher, Long.toString(holder.process().pid()));

        holder.signal("TERM");

        assertThat(holder.end().code()).isEqualTo(143);
    }

    @Test
    void kill_holdfast_endsTheCommand() throws IOException {
        PackagedCommand.Running holder =
                command().start("run", name, "--", "sh", "-c", "echo $$ >pid; echo in >log; exec sleep 1000");
        awaitLine(directory.resolve("log"), "in");
        String child = Files.readString(directory.resolve("pid")).strip();

        holder.signal("KILL");

        eventually("the command has ended", () -> PackagedCommand.hasEnded(child));
        end(holder);
    }

    @Test
    @Tag("evidence")
    void lost_allServersFrozen_endsACommandThatIgnoresTermWithItsGroup() throws IOException {
        try (RedisServers nodes = RedisServers.start(3)) {
            PackagedCommand.Running holder = on(nodes)
                    .start(
                            "run",
                            name,
                            "--lease",
                            LEASE,
                            "--",
                            "sh",
                            "-c",
                            "trap '' TERM; sleep 1000 & echo $! >grandchild; echo in >log; wait; sleep 1000");
            awaitLine(directory.resolve("log"), "in");
            String grandchild =
                    Files.readString(directory.resolve("grandchild")).strip();

            nodes.forEach(RedisServer::freeze);

            PackagedCommand.Result result = holder.end();
            assertThat(result.code()).isEqualTo(76);
            // On a slow machine, the client has closed the silent connections by then, and names them.
            assertThat(result.err())
                    .hasLineCount(1)
                    .contains("lost the lock '" + name + "': too few servers have answered", "; ending the command");
            eventually("the grandchild has ended", () -> PackagedCommand.hasEnded(grandchild));
        }
    }

    @Test
    @Tag("evidence")
    void lost_userMayNoLongerUseTheServers_namesTheCause() {
        try (RedisServers nodes = RedisServers.start(3)) {
            PackagedCommand.Running holder =
                    on(nodes).start("run", name, "--lease", LEASE, "-c", "touch held; sleep 1000");
            eventually("the command runs", () -> Files.exists(directory.resolve("held")));

            nodes.forEach(node -> node.exec("ACL", "SETUSER", "default", "-@all"));

            PackagedCommand.Result result = holder.end();
            assertThat(result.code()).isEqualTo(76);
            assertThat(result.err())
                    .hasLineCount(1)
                    .contains("too few servers have answered [", ": NOPERM: the user may not run", "; grant it +")
                    .endsWith("]; ending the command\n");
        }
    }

    @Test
    @Tag("evidence")
    void lost_holdLimit_endsTheCommandWithTheReason() {
        PackagedCommand.Result result =
                command().run("run", name, "--lease", LEASE, "--hold-limit", LEASE, "--", "sleep", "1000");

        assertThat(result.code()).isEqualTo(76);
        assertThat(result.err()).contains("for as long as --hold-limit allows");
    }

    @Test
    void lost_onLostWarn_letsTheCommandContinue() throws IOException {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "--on-lost",
                        "warn",
                        "--",
                        "sh",
                        "-c",
                        "echo in >log; until [ -e go ]; do sleep 0.02; done; exit 4");
        awaitLine(directory.resolve("log"), "in");
        removeLock();
        eventually("the loss is reported", () -> holder.errors().contains("continues without it"));
        Files.createFile(directory.resolve("go"));

        assertThat(holder.end().code()).isEqualTo(4);
    }

    /** The renewals of the lease, which are more than three minutes apart, would notice the loss later. */
    @Test
    void lost_brokenLock_endsTheCommandSoonAndNamesTheOperator() throws IOException {
        try (RedisServers nodes = RedisServers.start(3)) {
            PackagedCommand.Running holder = on(nodes)
                    .start("run", name, "--max-lease=10m", "--lease=10m", "--", "sh", "-c", "echo in >log; " + SLEEP);
            awaitLine(directory.resolve("log"), "in");

            assertThat(on(nodes)
                            .run("break", name, "--force", "--max-lease=10m")
                            .code())
                    .isZero();

            assertThat(holder.end().code()).isEqualTo(76);
            assertThat(holder.errors())
                    .matches("holdfast: lost the lock '" + name
                            + "': it was broken by \\S+@\\S+ at \\d\\d:\\d\\d:\\d\\d; ending the command\n");
        }
    }

    @Test
    void lost_removedKeys_endsTheCommandAndExits76() {
        PackagedCommand.Running holder = hold();

        removeLock();

        PackagedCommand.Result result = holder.end();
        assertThat(result.code()).isEqualTo(76);
        assertThat(result.err()).contains("it was removed from the servers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "run --help", "local up --help", "--version"})
    void help_requested_printsOnStdout(String line) {
        PackagedCommand.Result result = command().run(line.split(" "));

        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("holdfast");
        assertThat(result.err()).isEmpty();
    }

    /** Starts a command that holds the lock until {@link #end}. */
    private PackagedCommand.Running hold() {
        PackagedCommand.Running holder =
                command().start("run", name, "--", "sh", "-c", "echo in >held; until [ -e end ]; do sleep 0.02; done");
        awaitLine(directory.resolve("held"), "in");
        return holder;
    }

    private void end(PackagedCommand.Running holder) {
        try {
            Files.writeString(directory.resolve("end"), "");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        holder.end();
    }

    private void removeLock() {
        servers.forEach(server -> server.exec("DEL", name));
    }

    private boolean isHeld() {
        return new LockKeys(servers, name).isHeld();
    }

    private void awaitWaiter() {
        eventually("a waiter is queued", new LockKeys(servers, name)::hasOneWaiter);
    }

    private static void awaitLine(Path file, String line) {
        eventually(line + " in " + file, () -> Files.readString(file).contains(line));
    }
}
