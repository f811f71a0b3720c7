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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Five machines start the same command when their clocks, which differ, show one of 25 full hours. In some hours the
 * first run fails, in others its process dies, and one server after the other is restarted without its data.
 */
@Tag("process")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class HourlyJobsTest {

    private static final int MACHINES = 5;
    private static final int HOURS = 25;
    private static final String JOB = "command";
    /** Ahead of the servers, so that they remember each hour. */
    private final Instant firstHour =
            Instant.now().truncatedTo(ChronoUnit.HOURS).plus(2, ChronoUnit.HOURS);

    /** The fencing token in a line of the log. */
    private static final Pattern FENCE = Pattern.compile("\"fence\":(\\d+),");

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    private final ExecutorService crons = Executors.newCachedThreadPool();

    /** The runs by their fencing tokens, as the record has had them last. */
    private final Map<Long, JobRun> runs = new TreeMap<>();

    /** The fencing tokens in the lines of {@code holdfast log --json}. */
    private final Set<Long> logged = new TreeSet<>();

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

    /** Runs a command as cron does, on a machine whose clock shows the beginning of the hour. */
    private void runCommand(int machine, int hour) {
        LocalDateTime shown = LocalDateTime.ofInstant(firstHour, ZoneOffset.UTC).plusHours(hour);
        String script = """
                if [ -e trouble ] && kind="$(cat trouble)" && rm trouble 2>/dev/null; then
                  [ "$kind" = throw ] && exit 1
                  echo %d >victim; sleep 30
                fi
                """.formatted(machine);
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
                        JOB,
                        "--once-per",
                        "@hourly",
                        "--max-lease",
                        "3s",
                        "--lease",
                        "2s",
                        "-c",
                        script));
        Path victim = directory.resolve("victim");
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

    /** Lets the first run of some hours fail, and its process die in others. */
    private void makeTrouble(int hour) throws IOException {
        String kind = hour % 3 == 1 ? "throw" : hour % 8 == 3 ? "kill" : "";
        if (!kind.isEmpty()) {
            Files.writeString(directory.resolve("trouble"), kind);
        }
    }

    private void restart(RedisServer server) {
        server.kill();
        server.restartEmpty();
    }

    private void readRecord() {
        JobHistory.of(observer.admin().record(JOB)).orElseThrow().runs().forEach(run -> runs.put(run.fence(), run));
    }

    private void readLog() {
        Result log = processes.run(processes.holdfast(List.of(), "log", JOB, "--json", "--max-lease", "3s"));
        FENCE.matcher(log.output()).results().forEach(run -> logged.add(Long.valueOf(run.group(1))));
    }

    @Test
    void commands_clocksDifferAndProcessesFail_runOncePerHour() throws IOException {
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
            readRecord();
            if (hour % 8 == 0) {
                readLog();
            }
        }
        readLog();

        assertThat(successes()).isEqualTo(hours.stream().collect(Collectors.toMap(hour -> hour, hour -> 1L)));
        assertThat(logged).isEqualTo(runs.keySet());
    }

    private void runCommands(int hour, int from, int to) {
        List<CompletableFuture<Void>> ends = IntStream.range(from, to)
                .mapToObj(machine -> CompletableFuture.runAsync(() -> runCommand(machine, hour), crons))
                .toList();
        ends.forEach(CompletableFuture::join);
    }

    /** Returns the number of successes by the hour of their start. */
    private Map<Integer, Long> successes() {
        return runs.values().stream()
                .filter(JobRun::isSuccess)
                .collect(Collectors.groupingBy(
                        run -> (int) ChronoUnit.HOURS.between(firstHour, run.start()), Collectors.counting()));
    }
}
