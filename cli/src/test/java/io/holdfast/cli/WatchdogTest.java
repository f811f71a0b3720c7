package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests {@code holdfast run} whose own processes are killed or stopped. The command starts a process that ignores TERM.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("watchdog")
class WatchdogTest extends CommandOnServers {

    private static final String JOB =
            "sh -c 'trap \"\" TERM; while :; do date +%s%N >>alive; sleep 0.02; done' & wait; sleep 1000";
    /**
     * The watchdog sends KILL 50 ms before the validity ends, and that ends 42 ms before the lease: time for a busy
     * machine.
     */
    private static final String LEASE = "4s";

    /** Long enough for a slow machine to start the command. */
    private static final String LONGER_LEASE = "10s";

    private static final List<String> ATTACKS =
            List.of("KILL java", "STOP java", "KILL shell", "KILL shell, KILL java", "STOP java, KILL shell");
    private static final List<String> WORST = List.of("KILL shell", "STOP java, KILL shell");

    static Stream<Arguments> attacks() {
        return Shells.tried().stream()
                .flatMap(shell ->
                        (shell.equals("dash") ? ATTACKS : WORST).stream().map(attack -> Arguments.of(shell, attack)));
    }

    @Test
    void attack_onAllOfHoldfast_endsTheCommand() throws IOException {
        PackagedCommand.Running holder = command().start("run", name, "--lease", LONGER_LEASE, "--", "sh", "-c", JOB);

        attack("STOP java, KILL shell", holder.process().toHandle());

        eventually("no process is left", () -> !hasProcess());
    }

    /** The program behaves as `su -c` does: it passes TERM on to a session of its own, and waits. */
    @Test
    @Tag("evidence")
    void attack_childHasASessionOfItsOwn_endsItAsWell() throws IOException {
        Assumptions.assumeTrue(PackagedCommand.shell("command -v perl && command -v setsid"), "not installed");
        Files.writeString(
                directory.resolve("stubborn"),
                "trap '' TERM; echo $$ >part; mv part alive; while :; do sleep 0.02; done");
        Files.writeString(directory.resolve("su"), """
                $SIG{TERM} = sub { kill TERM => $child; sleep 1000 };
                exec 'setsid', 'sh', '-c', 'sh ./stubborn & wait' unless $child = fork;
                sleep 1000;
                """);
        PackagedCommand.Running holder = command().start("run", name, "--lease", LONGER_LEASE, "--", "perl", "./su");

        attack("KILL java", holder.process().toHandle());

        assertThat(holder.end().code()).isEqualTo(76);
        String stubborn = Files.readString(directory.resolve("alive")).strip();
        eventually("the process in the other session has ended", () -> PackagedCommand.hasEnded(stubborn));
    }

    /** A machine that stops for longer than the margin before the end of a lease fails. */
    @ParameterizedTest
    @MethodSource("attacks")
    @Tag("evidence")
    void attack_onHoldfast_endsTheCommandBeforeTheNextStarts(String shell, String attack) throws IOException {
        PackagedCommand.Running holder =
                command().by(shell.split(" ", -1)).start("run", name, "--lease", LEASE, "--", "sh", "-c", JOB);

        attackAndCompare(attack, holder.process().toHandle());
    }

    static Stream<Arguments> attacksAtATerminal() {
        return Stream.concat(attacks(), Shells.tried().stream().map(shell -> Arguments.of(shell, "KILL terminal")));
    }

    /** At a terminal, the command has no group of its own. */
    @ParameterizedTest
    @MethodSource("attacksAtATerminal")
    @Tag("evidence")
    void attack_atATerminal_endsTheCommandBeforeTheNextStarts(String shell, String attack) throws IOException {
        Assumptions.assumeTrue(PackagedCommand.shell("command -v script >/dev/null"), "script(1) is not installed");
        Files.writeString(directory.resolve("job"), JOB);
        String line = "exec " + shell + " '" + PackagedCommand.LAUNCHER + "' run " + name + " --lease " + LEASE
                + " -- sh ./job";
        List<String> words = new ArrayList<>(DefaultSignals.prefix());
        words.addAll(List.of("script", "-qec", line, "/dev/null"));
        PackagedCommand.Running terminal = command().start(words);
        ProcessHandle script = terminal.process().toHandle();
        eventually("the launcher runs", () -> launcherBelow(script).isPresent());

        ProcessHandle target =
                attack.endsWith("terminal") ? script : launcherBelow(script).orElseThrow();
        attackAndCompare(attack, target);
    }

    /** Returns the shell that executes the launcher; the command line of script(1) contains the same words. */
    private static Optional<ProcessHandle> launcherBelow(ProcessHandle script) {
        return script.children()
                .filter(process -> hasWord(process, "bin/holdfast"))
                .findFirst();
    }

    private void attack(String attack, ProcessHandle launcher) {
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));
        assertThat(hasProcess()).isTrue();
        ProcessHandle java = java(launcher).orElseThrow();
        List<String> kills = new ArrayList<>();
        for (String step : attack.split(", ", -1)) {
            String[] words = step.split(" ", -1);
            kills.add("kill -s " + words[0] + " " + (words[1].equals("java") ? java : launcher).pid());
        }
        assertThat(PackagedCommand.shell(String.join("; ", kills))).isTrue();
    }

    private void attackAndCompare(String attack, ProcessHandle launcher) throws IOException {
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));
        PackagedCommand.Running next =
                command().start("run", name, "--lease", LEASE, "--", "sh", "-c", "date +%s%N >started");
        awaitQueued();

        attack(attack, launcher);

        assertThat(next.end().code()).isZero();
        Beats.in(directory.resolve("alive")).assertEndedBefore(directory.resolve("started"));
        eventually("no process is left", () -> !hasProcess());
    }

    private static Optional<ProcessHandle> java(ProcessHandle launcher) {
        return launcher.descendants()
                .filter(process -> hasWord(process, "holdfast.launcher"))
                .filter(process -> process.info().command().orElse("").endsWith("java"))
                .findFirst();
    }

    private static boolean hasWord(ProcessHandle process, String word) {
        return PackagedCommand.shell("grep -qsF " + word + " /proc/" + process.pid() + "/cmdline");
    }

    /** Returns whether a process has the lock in its command line or environment; the brackets exclude that of grep. */
    private boolean hasProcess() {
        String pattern = "[" + name.charAt(0) + "]" + name.substring(1);
        return PackagedCommand.shell("grep -lqs '" + pattern + "' /proc/[0-9]*/cmdline /proc/[0-9]*/environ");
    }

    static List<String> shells() {
        return Shells.tried();
    }

    /** The end of a command while a signal interrupts the wait for it; each time has its own race. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("evidence")
    @Tag("nightly")
    void signal_asTheCommandEnds_exitsWithItsCode(String shell) throws IOException {
        Files.writeString(directory.resolve("job"), "kill -HUP \"$1\"; exit 3");
        String run = "exec " + shell + " '" + PackagedCommand.LAUNCHER + "' run " + name + " -- sh ./job $$";
        Files.writeString(directory.resolve("one"), run);

        PackagedCommand.Result result =
                command().exec("setsid", "sh", "-c", "for i in $(seq 24); do setsid -w sh ./one; echo $?; done");

        assertThat(result.out().lines().filter(code -> !code.equals("3") && !code.equals("129")))
                .as("exit codes that are neither the command's nor that of HUP")
                .isEmpty();
    }

    private void awaitQueued() {
        eventually("the waiter is queued", new LockKeys(servers, name)::hasOneWaiter);
    }

    private PackagedCommand.Running holding() {
        PackagedCommand.Running holder = command().start("run", name, "--", "sleep", "1000");
        eventually("the lock is held", new LockKeys(servers, name)::isHeld);
        return holder;
    }

    private PackagedCommand.Running waiting(PackagedCommand command) {
        PackagedCommand.Running waiter = command.start("run", name, "--", "echo", "ran");
        awaitQueued();
        return waiter;
    }

    @Test
    void kill_javaWhileWaiting_exits125() {
        PackagedCommand.Running holder = holding();
        PackagedCommand.Running waiter = waiting(command());

        java(waiter.process().toHandle()).orElseThrow().destroyForcibly();

        PackagedCommand.Result result = waiter.end();
        assertThat(result.code()).isEqualTo(125);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .isEqualTo(
                        "holdfast: Java did not start, or was killed; check that `java -version` works here, and raise"
                                + " `ulimit -u` if this user may start too few processes\n");
        holder.process().destroy();
        holder.end();
    }

    /** A process that was stopped reacts to no signal. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("evidence")
    void signal_javaIsStoppedWhileItWaits_endsTheRunAfterALimit(String shell) {
        PackagedCommand.Running holder = holding();
        PackagedCommand.Running waiter = waiting(command().by(shell.split(" ", -1)));
        ProcessHandle java = java(waiter.process().toHandle()).orElseThrow();
        assertThat(PackagedCommand.shell("kill -STOP " + java.pid())).isTrue();

        waiter.signal("TERM");

        assertThat(waiter.end())
                .isEqualTo(new PackagedCommand.Result(
                        143, "", "holdfast: Java did not react to the signal within 10 s, so it was killed\n"));
        eventually("Java has ended", () -> !java.isAlive());
        holder.process().destroy();
        holder.end();
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void signal_whileWaiting_leavesNoProcess(String shell) {
        PackagedCommand.Running holder = holding();
        PackagedCommand.Running waiter = waiting(command().by(shell.split(" ", -1)));

        waiter.signal("TERM");

        assertThat(waiter.end()).isEqualTo(new PackagedCommand.Result(143, "", ""));
        holder.process().destroy();
        holder.end();
        eventually("no process is left", () -> !hasProcess());
        assertThat(new LockKeys(servers, name).isHeld()).isFalse();
    }

    /** The watchdog waits for a line of Java, which writes none without a lock. */
    @Test
    void kill_guardWhileWaiting_leavesNoProcess() {
        PackagedCommand.Running holder = holding();
        PackagedCommand.Running waiter = waiting(command());
        java(waiter.process().toHandle())
                .flatMap(ProcessHandle::parent)
                .orElseThrow()
                .destroyForcibly();

        waiter.signal("TERM");

        assertThat(waiter.end().code()).isEqualTo(143);
        holder.process().destroy();
        holder.end();
        eventually("no process is left", () -> !hasProcess());
    }

    /** As {@code systemctl kill} does. The watchdog must neither take it for the end of Java nor end. */
    @Test
    void signal_toAllProcesses_concernsTheCommandOnly() throws IOException {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "--",
                        "sh",
                        "-c",
                        "trap 'echo 1 >>got' USR1; trap 'echo 2 >>got' USR2; echo in >alive; "
                                + "while :; do sleep 0.02; done");
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));
        for (String signal : List.of("USR1", "USR2")) {
            holder.process()
                    .descendants()
                    .forEach(process -> PackagedCommand.shell("kill -s " + signal + " " + process.pid()));
        }
        Path got = directory.resolve("got");
        eventually(
                "both have arrived",
                () -> Files.exists(got) && Files.readString(got).contains("2"));

        holder.killJava();

        assertThat(holder.end().code()).isEqualTo(76);
        eventually("no process is left", () -> !hasProcess());
    }

    @Test
    void kill_javaWhileTheCommandRuns_exits76WithOneMessage() {
        PackagedCommand.Running holder =
                command().start("run", name, "--", "sh", "-c", "echo in >alive; exec sleep 1000");
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));

        java(holder.process().toHandle()).orElseThrow().destroyForcibly();

        PackagedCommand.Result result = holder.end();
        assertThat(result.code()).isEqualTo(76);
        assertThat(result.err())
                .isEqualTo("holdfast: lost the lock '" + name
                        + "': the process that renews it was killed or stopped; the command was ended\n");
    }

    @Test
    void kill_javaOfARunThatOnlyWarns_exitsWithTheCodeOfTheCommand() throws IOException {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "--on-lost",
                        "warn",
                        "--",
                        "sh",
                        "-c",
                        "echo in >alive; until [ -e killed ]; do sleep 0.1; done; exit 5");
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));

        java(holder.process().toHandle()).orElseThrow().destroyForcibly();
        Files.createFile(directory.resolve("killed"));

        PackagedCommand.Result result = holder.end();
        assertThat(result.code()).isEqualTo(5);
        assertThat(result.err()).endsWith("was killed or stopped; the command ran to its end without it\n");
    }

    /** A shell that can create no process ends, as at a limit of processes. */
    @Test
    void kill_watchdogThenJava_endsTheCommand() {
        PackagedCommand.Running holder =
                command().start("run", name, "--lease", LEASE, "--", "sh", "-c", "echo in >alive; exec sleep 1000");
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));
        ProcessHandle java = java(holder.process().toHandle()).orElseThrow();
        java.parent()
                .orElseThrow()
                .children()
                .filter(child -> !child.equals(java))
                .forEach(ProcessHandle::destroyForcibly);
        eventually("another watchdog waits", () -> java.descendants().anyMatch(process -> hasWord(process, "sleep")));

        java.destroyForcibly();

        assertThat(holder.end().code()).isEqualTo(76);
        eventually("no process is left", () -> !hasProcess());
    }

    /** The shell that watches Java reads such a name as nothing. */
    @Test
    void kill_javaOfALockWhoseNameIsBlank_endsTheCommand() {
        String blanks = " ".repeat(1 + new Random().nextInt(500));
        PackagedCommand.Running holder =
                command().start("run", blanks, "--", "sh", "-c", "echo in >alive; exec sleep 1000");
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));

        java(holder.process().toHandle()).orElseThrow().destroyForcibly();

        assertThat(holder.end().code()).isEqualTo(76);
    }

    @Test
    void run_ended_leavesNoProcess() {
        assertThat(command().run("run", name, "--", "true").code()).isZero();

        eventually("no process is left", () -> !hasProcess());
    }

    /** A job is not finished while processes that it started run, so the lock is held for them. */
    @Test
    void run_processInTheBackground_holdsTheLockUntilItEnds() throws IOException {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "--",
                        "sh",
                        "-c",
                        "(until [ -e go ]; do sleep 0.02; done; echo late >>log) & echo $$ >part; mv part pid; exit 3");
        Path pid = directory.resolve("pid");
        eventually(
                "the command has ended",
                () -> Files.exists(pid)
                        && PackagedCommand.hasEnded(Files.readString(pid).strip()));
        assertThat(command().run("run", name, "-n", "--", "true").code()).isEqualTo(75);
        Files.createFile(directory.resolve("go"));

        assertThat(holder.end().code()).isEqualTo(3);
        assertThat(directory.resolve("log")).hasContent("late\n");
        assertThat(new LockKeys(servers, name).isHeld()).isFalse();
    }

    @Test
    void run_daemon_releasesTheLockWithoutIt() throws IOException {
        String daemon = "setsid sh -c 'echo $$ >part; mv part daemon; exec sleep 1000' &";
        assertThat(command()
                        .run("run", name, "-c", daemon + " until [ -e daemon ]; do sleep 0.02; done; exit 3")
                        .code())
                .isEqualTo(3);
        assertThat(new LockKeys(servers, name).isHeld()).isFalse();
        assertThat(PackagedCommand.shell("kill " + Files.readString(directory.resolve("daemon"))))
                .as("the daemon runs")
                .isTrue();
    }
}
