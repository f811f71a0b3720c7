package io.holdfast.jobs.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.jobs.process.Processes.Result;
import io.holdfast.node.NodeStatus;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five machines start the same jobs at 25 full hours of their clocks, which differ by up to 30 s: methods of Spring,
 * tasks of ShedLock, commands, and one job of several kinds. In some hours the first run fails, in others its process
 * dies, and one server after the other is restarted without its data.
 */
@Tag("process")
@Tag("evidence")
class HourlyJobsTest {

    private static final int MACHINES = 5;
    private static final int HOURS = 25;
    private static final List<Integer> AHEAD = List.of(30, -15, 0, 15, -30);
    private static final List<String> MIXED = List.of("spring", "shedlock", "spring", "shedlock", "spring");
    private static final List<String> SCHEDULED = List.of("spring", "shedlock:task", "shedlock:mixed");

    private static final List<String> COMMAND = List.of("command");

    /** The runs between two readings of the log, which has the last 20 of a job. */
    private static final int HOURS_OF_A_LOG = 3;

    /** A line of the log: the result and the fencing token. */
    private static final Pattern FENCE = Pattern.compile("(\\{\"resource\":\"[^\"]*\",\"fence\":(\\d+),.*)");

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    private final ExecutorService crons = Executors.newCachedThreadPool();

    /** The runs of each job by their fencing tokens, as the record has had them last. */
    private final Map<String, Map<Long, JobRun>> runs = new ConcurrentHashMap<>();

    /** The lines of {@code holdfast log --json} by job and fencing token. */
    private final Map<String, Map<Long, String>> logs = new ConcurrentHashMap<>();

    private final Map<Integer, Process> applications = new ConcurrentHashMap<>();
    private Instant origin = Instant.EPOCH;

    @TempDir
    private Path directory;

    @AutoClose
    private Processes processes;

    @AutoClose
    private Holdfast observer;

    @BeforeEach
    void start() {
        Processes.require("faketime", "faketime");
        processes = new Processes(directory, servers);
        observer = Holdfast.connect(
                servers.addresses(),
                HoldfastOptions.builder().maxLease(Duration.ofSeconds(3)).build());
        observer.admin().admit();
    }

    @AfterEach
    void stop() {
        crons.shutdownNow();
    }

    private FastHours clock(int machine) {
        return new FastHours(origin, Duration.ofSeconds(AHEAD.get(machine)));
    }

    private Path up(int machine) {
        return directory.resolve("up-" + machine);
    }

    private void startApplication(int machine) {
        delete(up(machine));
        applications.put(
                machine,
                processes.start(
                        directory.resolve("application-" + machine + ".log"),
                        Processes.java(
                                HourlyApplication.class,
                                "--origin=" + origin,
                                "--ahead=" + AHEAD.get(machine),
                                "--directory=" + directory,
                                "--up=" + up(machine),
                                "--mixed=" + MIXED.get(machine),
                                "--spring.main.web-application-type=none",
                                "--spring.main.banner-mode=off",
                                "--logging.level.root=warn",
                                "--holdfast.nodes=" + String.join(",", servers.addresses()),
                                "--holdfast.max-lease=3s",
                                "--holdfast.lock.lease=2s")));
    }

    /** Runs a command as cron does, on a machine whose clock shows this time after the beginning of the hour. */
    private void runCommand(int machine, String job, int hour, Duration after) {
        LocalDateTime shown = LocalDateTime.ofInstant(clock(machine).shown(hour).plus(after), ZoneOffset.UTC);
        String script = """
                echo "began %2$d" >>runs-%1$s
                if [ -e trouble-%1$s ] && kind="$(cat trouble-%1$s)" && rm trouble-%1$s 2>/dev/null; then
                  [ "$kind" = throw ] && exit 1
                  echo %3$d >victim-%1$s; sleep 30
                fi
                echo "ended %2$d" >>runs-%1$s
                """.formatted(job, hour, machine);
        Process command = processes.start(
                directory.resolve("command.log"),
                processes.holdfast(
                        List.of(
                                "env",
                                "TZ=UTC",
                                "faketime",
                                "-m",
                                "-f",
                                "@" + shown.toString().replace('T', ' ') + ":00"),
                        "run",
                        job,
                        "--once-per",
                        "@hourly",
                        "--max-lease",
                        "3s",
                        "--lease",
                        "2s",
                        "-c",
                        script));
        Path victim = directory.resolve("victim-" + job);
        Eventually.eventually("the command has ended", () -> {
            if (Files.exists(victim) && isOf(victim, machine)) {
                command.descendants().forEach(ProcessHandle::destroyForcibly);
                command.destroyForcibly();
            }
            return !command.isAlive();
        });
    }

    private static boolean isOf(Path victim, int machine) {
        try {
            return Files.readString(victim).strip().equals(Integer.toString(machine)) && Files.deleteIfExists(victim);
        } catch (IOException e) {
            return false;
        }
    }

    private static void await(Instant moment) {
        Eventually.within(
                Duration.ofMinutes(5),
                "the moment is reached",
                () -> !Instant.now().isBefore(moment));
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets the first run of some hours fail, and its process die in others. */
    private void makeTrouble(int hour) throws IOException {
        // Two applications may have died in the hour before, so that no other is left that would repeat the run.
        boolean isAfterDeath = hour % 8 == 4;
        String kind = hour % 3 == 1 && !isAfterDeath ? Trouble.THROW : hour % 8 == 3 ? Trouble.KILL : "";
        if (!kind.isEmpty()) {
            for (String job : List.of("spring", "shedlock-task", "command", "mixed")) {
                // An application dies of one job at a time.
                boolean isOther = kind.equals(Trouble.KILL) && job.startsWith("shedlock") == (hour % 16 == 3);
                if (!isOther) {
                    Files.writeString(directory.resolve("trouble-" + job), kind);
                }
            }
        }
    }

    private void restartDead() {
        for (int machine = 0; machine < MACHINES; machine++) {
            Process application = applications.get(machine);
            if (application == null || !application.isAlive()) {
                startApplication(machine);
            }
        }
    }

    private void restart(RedisServer server) {
        server.kill();
        server.restartEmpty();
    }

    private void readRecords(List<String> jobs) {
        for (String job : jobs) {
            JobHistory.of(observer.admin().record(job))
                    .orElseThrow()
                    .runs()
                    .forEach(run ->
                            runs.computeIfAbsent(job, name -> new TreeMap<>()).put(run.fence(), run));
        }
    }

    private void readLogs(List<String> jobs) {
        for (String job : jobs) {
            Result log = processes.run(processes.holdfast(List.of(), "log", job, "--json", "--max-lease", "3s"));
            FENCE.matcher(log.output())
                    .results()
                    .forEach(run -> logs.computeIfAbsent(job, name -> new TreeMap<>())
                            .put(Long.valueOf(run.group(2)), run.group(1)));
        }
    }

    /** The clocks do not wait for a busy machine, so this has a command of its own; see docs/jobs.md. */
    @Test
    @EnabledIfSystemProperty(named = "holdfast.hours", matches = "true", disabledReason = "needs a quiet machine")
    void methodsAndTasks_clocksDifferAndProcessesFail_runOncePerHour() throws IOException {
        origin = Instant.now();
        for (int machine = 0; machine < MACHINES; machine++) {
            startApplication(machine);
        }
        Eventually.eventually(
                "all applications run",
                () -> IntStream.range(0, MACHINES).allMatch(machine -> Files.exists(up(machine))));
        // One whole hour warms the processes up: a first call can take longer than ShedLock keeps its lock.
        int first = clock(2).now() + 2;
        List<Integer> hours = IntStream.range(first, first + HOURS).boxed().toList();

        for (int hour : hours) {
            restartDead();
            // What dies in the last hour has no time to run again.
            if (hour != first + HOURS - 1) {
                makeTrouble(hour);
            }
            Instant begin = clock(2).begin(hour);
            if (hour % 2 == 0) {
                await(begin.plusMillis(200));
                restart(servers.get(hour / 2 % servers.count()));
            }
            await(begin.plus(FastHours.HOUR).minusMillis(500));
            readRecords(SCHEDULED);
            if (hour % HOURS_OF_A_LOG == 0) {
                crons.execute(() -> readLogs(SCHEDULED));
            }
        }
        applications.values().forEach(Process::destroyForcibly);
        readRecords(SCHEDULED);
        readLogs(SCHEDULED);

        Map<Integer, Long> once = once(hours);
        assertThat(successes("spring", hours)).as("%s", runs).isEqualTo(once);
        assertThat(successes("shedlock:mixed", hours)).as("%s", runs).isEqualTo(once);
        // ShedLock does not repeat a task that has failed, and its record knows no success: each hour has one run.
        assertThat(lines("shedlock-task", "began", hours)).isEqualTo(once);
        SCHEDULED.forEach(this::assertLogged);

        // A command under the same name meets the success of a method, at the end of the hour.
        runCommand(2, "shedlock:mixed", first + HOURS - 1, Duration.ofMinutes(59));
        assertThat(directory.resolve("runs-shedlock:mixed")).doesNotExist();
    }

    @Test
    void commands_clocksDifferAndProcessesFail_runOncePerHour() throws IOException {
        origin = Instant.now();
        List<Integer> hours = IntStream.range(0, HOURS).boxed().toList();

        for (int hour : hours) {
            makeTrouble(hour);
            if (hour % 2 == 0) {
                Eventually.eventually(
                        "all servers vote",
                        () -> observer.admin().standings().stream().allMatch(NodeStatus::votes));
                restart(servers.get(hour / 2 % servers.count()));
            }
            // Those with fast clocks may have ended before the others begin.
            runCommands(hour, 0, hour % MACHINES);
            runCommands(hour, hour % MACHINES, MACHINES);
            readRecords(COMMAND);
            if (hour % 8 == 0) {
                readLogs(COMMAND);
            }
        }
        readLogs(COMMAND);

        assertThat(successes("command", hours)).isEqualTo(once(hours));
        assertLogged("command");
    }

    private void runCommands(int hour, int from, int to) {
        List<CompletableFuture<Void>> ends = IntStream.range(from, to)
                .mapToObj(machine ->
                        CompletableFuture.runAsync(() -> runCommand(machine, "command", hour, Duration.ZERO), crons))
                .toList();
        ends.forEach(CompletableFuture::join);
    }

    private static Map<Integer, Long> once(List<Integer> hours) {
        return hours.stream().collect(Collectors.toMap(hour -> hour, hour -> 1L));
    }

    private void assertLogged(String job) {
        assertThat(logs.get(job))
                .as(job)
                .containsOnlyKeys(runs.getOrDefault(job, Map.of()).keySet());
    }

    /** Returns the number of successes by the hour of their start. */
    private Map<Integer, Long> successes(String job, List<Integer> hours) {
        return runs.getOrDefault(job, Map.of()).values().stream()
                .filter(JobRun::isSuccess)
                .map(run -> clock(2).hour(run.start()))
                .filter(hours::contains)
                .collect(Collectors.groupingBy(hour -> hour, TreeMap::new, Collectors.counting()));
    }

    private Map<Integer, Long> lines(String job, String what, List<Integer> hours) throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve("runs-" + job))) {
            return lines.filter(line -> line.startsWith(what))
                    .map(line -> Integer.valueOf(line.substring(line.indexOf(' ') + 1)))
                    .filter(hours::contains)
                    .collect(Collectors.groupingBy(hour -> hour, TreeMap::new, Collectors.counting()));
        }
    }
}
