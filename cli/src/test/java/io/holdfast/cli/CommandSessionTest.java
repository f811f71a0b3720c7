package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attacks {@code holdfast run} whose command has processes in other groups than its own, as usual programs make them.
 * Each process writes the time every 50 ms; the last one must precede the start of the next holder. Writes
 * {@code target/sessions.md}, of which docs/evidence/command.txt has a copy.
 */
@Tag("process")
@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class CommandSessionTest extends CommandOnServers {

    /** Ends at the file {@code go-NAME}, and 20 beats after TERM unless there is the file {@code stubborn}. */
    private static final String BEAT = """
            left=-1
            if [ -e stubborn ]; then trap '' TERM; else trap 'left=20' TERM; fi
            until [ -e "go-$1" ] || [ $left -eq 0 ]; do date +%s%N >>"alive-$1"; sleep 0.05; left=$((left - 1)); done
            """;

    private static final String END_OF_SCRIPT = "the script ends";
    private static final String TERM = "TERM shell";
    private static final String WORST = "KILL shell, KILL java";
    private static final int BEATS = 20;
    /** The margin before its end, a twentieth, is what a busy machine may be late by. */
    private static final String LEASE = "8s";
    /** Long enough for a slow machine to start the command. */
    private static final String LONGER_LEASE = "10s";

    private static final Path TABLE = Path.of("target/sessions.md");
    private static final Pattern LAUNCHER = Pattern.compile("-Dholdfast\\.launcher=(\\d+)");

    /** The processes that stay in the group of the script, or whose parents do. */
    private static final List<String> IN_ITS_GROUP = List.of("set-m", "pipeline", "xargs", "busybox", "run");

    private static final List<String> ENDS = List.of(END_OF_SCRIPT, TERM);
    private static final List<String> ATTACKS =
            List.of("KILL java", "STOP java", "KILL shell", WORST, "STOP java, KILL shell");

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(
                TABLE,
                "| attack | shell | terminal | "
                        + String.join(" | ", constructs("sh", false).keySet()) + " |\n|---|---|---|"
                        + "--:|".repeat(constructs("sh", false).size()) + "\n");
    }

    @AfterEach
    void endBeats() throws IOException {
        end(constructs("sh", false).keySet());
        eventually("no process is left", () -> !hasProcess());
    }

    /** Returns whether a process works in the directory of this test. */
    private boolean hasProcess() throws IOException {
        return PackagedCommand.shell(
                "ls -ld /proc/[0-9]*/cwd 2>/dev/null | grep -qF ' -> " + directory.toRealPath() + "'");
    }

    /**
     * Returns what starts processes in other groups, each by the name of its process. At a terminal, the one without
     * variables may outlive the lock if its parent has ended, so it has no place there.
     */
    private static Map<String, String> constructs(String shell, boolean atTerminal) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("timeout", "timeout 600 sh ./beat timeout");
        all.put("env-i", "env -i PATH=\"$PATH\" timeout 600 sh ./beat env-i");
        all.put("setpgrp", "perl -e 'setpgrp; exec @ARGV' sh ./beat setpgrp");
        all.put("set-m", shell + " -c 'set -m; sh ./beat set-m & wait'");
        all.put("pipeline", "sh ./beat pipeline | cat");
        all.put("xargs", "echo xargs | xargs -P 2 -n 1 timeout 600 sh ./beat");
        all.put("busybox", "busybox timeout 600 sh ./beat busybox");
        all.put("run", "'" + PackagedCommand.LAUNCHER + "' run \"inner-$$\" -- sh ./beat run");
        if (atTerminal) {
            all.remove("env-i");
        }
        all.values().removeIf(line -> !PackagedCommand.shell("command -v " + line.split(" ", -1)[0] + " >/dev/null"));
        return all;
    }

    private static String job(String shell, boolean atTerminal) {
        return "echo $$ >job.pid\n"
                + String.join(" &\n", constructs(shell, atTerminal).values())
                + " &\nuntil [ -e leave ]; do sleep 0.05; done\n";
    }

    private static Stream<Arguments> inEachShell(Stream<String> attacks) {
        List<String> all = attacks.toList();
        return Shells.tried().stream().flatMap(shell -> all.stream().map(attack -> Arguments.of(attack, shell)));
    }

    static Stream<Arguments> ends() {
        return inEachShell(Variants.first(1, ENDS.stream()).stream());
    }

    static Stream<Arguments> attacks() {
        return inEachShell(ATTACKS.stream());
    }

    static Stream<Arguments> endsAndWorst() {
        return inEachShell(Stream.concat(ENDS.stream(), Stream.of(WORST)));
    }

    /** The lock is held for all of the command, however long that takes. */
    @ParameterizedTest
    @MethodSource("ends")
    @Tag("slow")
    @ResourceLock("sessionThatEnds")
    void end_processesInOtherGroups_keepTheLock(String end, String shell) throws IOException {
        startInTheBackground(end, shell, "30s");

        attackAndCompare(end, shell, false);
    }

    @Test
    @Tag("slow")
    @ResourceLock("sessionThatEnds")
    @Tag("evidence")
    void attack_onAllOfHoldfast_endsProcessesInOtherGroups() throws IOException {
        String shell = Shells.tried().get(0);
        startInTheBackground(WORST, shell, LONGER_LEASE);
        List<String> names = List.copyOf(constructs(shell, false).keySet());
        awaitBeats(names, 1);
        // Its group may be empty now, and other processes have no parent in the session.
        endScript();

        attack(WORST, java(), names);

        eventually("no process is left", () -> !hasProcess());
    }

    /** Is skipped, with the time, if the processes end too late on a machine that kept them waiting as well. */
    @ParameterizedTest
    @MethodSource("attacks")
    @Tag("evidence")
    @ResourceLock("sessionUnderAttack")
    void attack_processesInOtherGroups_endBeforeTheNextStarts(String attack, String shell) throws IOException {
        startInTheBackground(attack, shell, LEASE);

        attackAndCompare(attack, shell, false);
    }

    @ParameterizedTest
    @MethodSource("endsAndWorst")
    @Tag("evidence")
    @ResourceLock("sessionUnderAttack")
    void attack_processesInOtherGroupsAtATerminal_endBeforeTheNextStarts(String attack, String shell)
            throws IOException {
        Assumptions.assumeTrue(PackagedCommand.shell("command -v script >/dev/null"), "script(1) is not installed");
        prepare(attack, shell, true);
        List<String> words = new ArrayList<>(DefaultSignals.prefix());
        String line = "exec " + shell + " '" + PackagedCommand.LAUNCHER + "' run " + name + " --lease " + LEASE + " -- "
                + shell + " ./job";
        words.addAll(List.of("script", "-qec", line, "/dev/null"));
        command().start(words);

        attackAndCompare(attack, shell, true);
    }

    private void startInTheBackground(String attack, String shell, String lease) throws IOException {
        prepare(attack, shell, false);
        command()
                .by(shell.split(" ", -1))
                .start(("run " + name + " --lease " + lease + " -- " + shell + " ./job").split(" ", -1));
    }

    private void prepare(String attack, String shell, boolean atTerminal) throws IOException {
        Files.writeString(directory.resolve("beat"), BEAT);
        Files.writeString(directory.resolve("job"), job(shell, atTerminal));
        if (ATTACKS.contains(attack)) {
            Files.writeString(directory.resolve("stubborn"), "");
        }
    }

    private void attackAndCompare(String attack, String shell, boolean atTerminal) throws IOException {
        List<String> names = List.copyOf(constructs(shell, atTerminal).keySet());
        awaitBeats(names, 1);
        ProcessHandle java = java();
        PackagedCommand.Running next =
                command().start("run", name, "--lease", LEASE, "--", "sh", "-c", "date +%s%N >started");
        eventually("the waiter is queued", new LockKeys(servers, name)::hasOneWaiter);

        attack(attack, java, names);

        assertThat(next.end().code()).isZero();
        long started =
                Long.parseLong(Files.readString(directory.resolve("started")).strip());
        Map<String, String> margins = new LinkedHashMap<>();
        double silence = 0;
        for (String construct : names) {
            Beats beats = Beats.in(directory.resolve("alive-" + construct));
            margins.put(construct, String.format(Locale.ROOT, "%.2f", (started - beats.last()) / 1e9));
            silence = Math.max(silence, beats.longestSilenceSeconds());
        }
        String cells = constructs("sh", false).keySet().stream()
                .map(construct -> margins.getOrDefault(construct, ""))
                .collect(Collectors.joining(" | "));
        Files.writeString(
                TABLE,
                "| " + attack + " | " + shell + " | " + (atTerminal ? "yes" : "no") + " | " + cells + " |\n",
                StandardOpenOption.APPEND);
        boolean isInTime = margins.values().stream().noneMatch(margin -> margin.startsWith("-"));
        String measured =
                "seconds between the last beat and the next holder: " + margins + "; between beats: " + silence;
        Beats.assumeNotBusy(isInTime, silence, measured);
        assertThat(isInTime).as(measured).isTrue();
    }

    private void attack(String attack, ProcessHandle java, List<String> names) throws IOException {
        if (attack.equals(END_OF_SCRIPT)) {
            endScript();
            awaitBeats(names, BEATS);
            end(IN_ITS_GROUP);
            List<String> others = new ArrayList<>(names);
            others.removeAll(IN_ITS_GROUP);
            awaitBeats(others, BEATS);
            end(others);
            return;
        }
        String kills = "kill -s " + attack.replace(", ", "; kill -s ");
        kills = kills.replace("java", Long.toString(java.pid())).replace("shell", launcher(java));
        assertThat(PackagedCommand.shell(kills)).isTrue();
    }

    private void endScript() throws IOException {
        Files.writeString(directory.resolve("leave"), "");
        long script =
                Long.parseLong(Files.readString(directory.resolve("job.pid")).strip());
        eventually("the script has ended", () -> ProcessHandle.of(script).isEmpty());
    }

    private void end(Collection<String> names) throws IOException {
        for (String construct : names) {
            Files.writeString(directory.resolve("go-" + construct), "");
        }
    }

    /** Waits until each of these processes has written this many times more. */
    private void awaitBeats(List<String> names, int count) {
        for (String construct : names) {
            long before = beats(construct);
            eventually(construct + " goes on", () -> beats(construct) >= before + count);
        }
    }

    private long beats(String construct) {
        Path file = directory.resolve("alive-" + construct);
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the Java that holds the lock; no other one has its name yet. */
    private ProcessHandle java() {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String line = process.info().commandLine().orElse("");
                    return line.contains(" " + name) && line.split(" ", 2)[0].endsWith("/java");
                })
                .findFirst()
                .orElseThrow();
    }

    private static String launcher(ProcessHandle java) {
        Matcher matcher = LAUNCHER.matcher(java.info().commandLine().orElse(""));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }
}
