package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measures what ends when, after the processes of {@code holdfast run} were killed, stopped, or ended by the kernel for
 * want of memory. The command obeys TERM; a process that it started ignores it; another one is a daemon. Writes
 * {@code target/attacks.md}, of which docs/evidence/command.txt has a copy.
 */
@Tag("process")
@Tag("nightly")
@Isolated("measures times")
class AttackTableTest extends CommandOnServers {

    private static final int ROUNDS = Integer.getInteger("holdfast.attack.rounds", 1);
    private static final Path TABLE = Path.of("target/attacks.md");
    private static final Path MEMORY = Path.of("/sys/fs/cgroup/memory");
    private static final String LIMIT = "memory.limit_in_bytes";
    private static final String JOB = """
            trap 'date +%s%N >term; exit 143' TERM
            (setsid sh -c 'echo $$ >daemon; exec sleep 600' &)
            sh -c 'trap "" TERM; while :; do date +%s%N >>alive; sleep 0.02; done' &
            while :; do sleep 0.02; done
            """;

    private final Path group = MEMORY.resolve(name);

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(
                TABLE,
                "| attack | end of the lease | TERM | last sign of the process that ignores TERM | the same, before the"
                        + " end of the lease | next holder | exit code |\n|---|--:|--:|--:|--:|--:|--:|\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KILL java",
                "STOP java",
                "OOM java",
                "KILL shell",
                "OOM shell",
                "KILL shell, KILL java",
                "OOM shell, OOM java",
                "STOP java, KILL shell"
            })
    void attack_anyProcess_endsTheCommandBeforeTheNextHolder(String attack) throws Exception {
        boolean isMemory = attack.startsWith("OOM");
        if (isMemory && !Files.isWritable(MEMORY)) {
            row(attack + " | not measured: no memory controller of cgroups, version 1 | | | | |");
            return;
        }
        for (int round = 0; round < ROUNDS; round++) {
            measure(attack, isMemory);
        }
    }

    private void measure(String attack, boolean isMemory) throws Exception {
        for (String file : List.of("term", "alive", "daemon", "started")) {
            Files.deleteIfExists(directory.resolve(file));
        }
        Files.writeString(directory.resolve("job"), JOB);
        PackagedCommand.Running holder = isMemory
                ? command().start(inGroup("'" + PackagedCommand.LAUNCHER + "' run " + name + " --lease 5s -- sh ./job"))
                : command().start("run", name, "--lease", "5s", "--", "sh", "./job");
        eventually("the command runs", () -> Files.exists(directory.resolve("alive")));
        PackagedCommand.Running next =
                command().start("run", name, "--lease", "5s", "--", "sh", "-c", "date +%s%N >started");
        eventually("the waiter is queued", new LockKeys(servers, name)::hasOneWaiter);
        ProcessHandle shell = holder.process().toHandle();
        ProcessHandle java = java(shell);

        eventually("the first server has the lock", () -> servers.get(0).exec("GET", name) != null);
        String owner = String.valueOf(servers.get(0).exec("GET", name));
        Instant attacked = attack(attack, shell, java);
        Instant end = attacked;
        while (next.process().isAlive()) {
            // A process that still runs may extend the lease.
            Instant later = leaseEnd(owner);
            end = later.isAfter(end) ? later : end;
        }
        int code = holder.end().code();
        Beats beats = Beats.in(directory.resolve("alive"));
        Instant last = instant(beats.last());
        Instant started = instant(Files.readString(directory.resolve("started")));
        String daemon = Files.readString(directory.resolve("daemon")).strip();
        row(String.join(
                " | ",
                attack,
                seconds(attacked, end),
                terminated().map(at -> seconds(attacked, at)).orElse("-"),
                seconds(attacked, last),
                seconds(last, end),
                seconds(attacked, started),
                Integer.toString(code)));

        assertThat(PackagedCommand.shell("kill -9 " + daemon))
                .as("the daemon is alive")
                .isTrue();
        if (isMemory) {
            eventually("the group is empty", () -> PackagedCommand.shell("rmdir " + group));
        }
        String measured = attack + ", seconds between beats: " + beats.longestSilenceSeconds();
        Beats.assumeNotBusy(last.isBefore(started), beats.longestSilenceSeconds(), measured);
        assertThat(last).as(measured).isBefore(started);
    }

    private Instant attack(String attack, ProcessHandle shell, ProcessHandle java) throws IOException {
        if (!attack.startsWith("OOM")) {
            StringBuilder kills = new StringBuilder();
            for (String step : attack.split(", ", -1)) {
                kills.append("kill -s ")
                        .append(step.replace("java", "" + java.pid()).replace("shell", "" + shell.pid()))
                        .append(';');
            }
            Instant before = Instant.now();
            assertThat(PackagedCommand.shell(kills.toString())).isTrue();
            return before;
        }
        List<ProcessHandle> victims = new ArrayList<>();
        for (ProcessHandle process : List.of(java, shell)) {
            if (attack.contains(process == java ? "java" : "shell")) {
                victims.add(process);
                Files.writeString(Path.of("/proc/" + process.pid() + "/oom_score_adj"), "1000");
            }
        }
        // The kernel ends the processes that were marked before this one, which fills the memory.
        Process hog = new ProcessBuilder(inGroup("tail /dev/zero"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("hog").toFile())
                .start();
        eventually("the kernel has ended them", () -> victims.stream().noneMatch(ProcessHandle::isAlive));
        Instant ended = Instant.now();
        // While the memory of the last process is being freed, the kernel would end another one of the group.
        Files.writeString(group.resolve(LIMIT), "-1");
        hog.destroyForcibly();
        return ended;
    }

    /** Returns a command line that runs in a group of processes with little memory. */
    private List<String> inGroup(String commandLine) {
        return List.of(
                "setsid",
                "sh",
                "-c",
                "mkdir -p " + group + "; echo 400M >" + group + "/" + LIMIT + "; echo $$ >" + group
                        + "/cgroup.procs; exec " + commandLine);
    }

    private static ProcessHandle java(ProcessHandle shell) {
        return shell.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the time at which a majority of the servers has no lock of this owner any more, unless it is extended; a
     * time long ago if the lock was released.
     */
    private Instant leaseEnd(String owner) {
        return Stream.of(0, 1, 2)
                .map(i -> owner.equals(servers.get(i).exec("GET", name))
                        ? Instant.now()
                                .plusMillis(Long.parseLong(
                                        String.valueOf(servers.get(i).exec("PTTL", name))))
                        : Instant.EPOCH)
                .sorted()
                .toList()
                .get(1);
    }

    /** Returns when the command received TERM; empty if it did not, or if KILL ended it while it recorded that. */
    private Optional<Instant> terminated() throws IOException {
        Path term = directory.resolve("term");
        String nanos = Files.exists(term) ? Files.readString(term) : "";
        return nanos.isBlank() ? Optional.empty() : Optional.of(instant(nanos));
    }

    private static Instant instant(String nanos) {
        return instant(Long.parseLong(nanos.strip()));
    }

    private static Instant instant(long nanos) {
        return Instant.EPOCH.plus(nanos, ChronoUnit.NANOS);
    }

    private static String seconds(Instant from, Instant to) {
        return String.format(Locale.ROOT, "%.2f", Duration.between(from, to).toMillis() / 1_000.0);
    }

    private static void row(String cells) throws IOException {
        Files.writeString(TABLE, "| " + cells + " |\n", StandardOpenOption.APPEND);
    }
}
