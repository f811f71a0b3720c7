package io.holdfast.spring.boot.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scheduled methods of several processes that fire at the same instant: each firing runs once. */
@Tag("process")
class ScheduledTest {

    private static final boolean FULL = Boolean.getBoolean("holdfast.evidence");
    private static final int PROCESSES = FULL ? 5 : 3;
    private static final int SERVERS = FULL ? 5 : 3;
    private static final int JOBS = FULL ? 40 : 20;
    private static final int FIRINGS = FULL ? 10 : 2;

    /** A run that begins later than this, in ms, may keep its lock beyond the next firing. */
    private static final int LATE = 1_500;

    /** A process that is later than this, in ms, may run a firing again: the lock is held for that time. */
    private static final int TOO_LATE = 3_000;

    private static final String FIRED = "fired ";
    private static final String RAN = "ran ";

    /** A line that a process has printed: a job, a firing, and how many milliseconds late it was. */
    private record Event(String job, long firing, int late) {

        static Event of(String line) {
            String[] words = line.split(" ", -1);
            return new Event(words[1], Long.parseLong(words[2]), Integer.parseInt(words[3]));
        }
    }

    @TempDir
    private Path directory;

    @Test
    @Tag("evidence")
    @Tag("nightly")
    void fire_manyProcessesAtOneInstant_runsEachFiringOnce() throws Exception {
        List<Process> processes = new ArrayList<>();
        try (RedisServers servers = RedisServers.start(SERVERS)) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(servers, i));
            }
            Eventually.within(Duration.ofMinutes(10), "all processes have fired in time", () -> {
                assertThat(processes).allMatch(Process::isAlive);
                return punctual(lines()).size() >= FIRINGS;
            });
        } finally {
            processes.forEach(Process::destroy);
            for (Process process : processes) {
                process.waitFor();
            }
        }

        List<String> lines = lines();
        Map<Long, List<Event>> runs = events(RAN, lines);
        List<String> jobs = IntStream.range(0, JOBS).mapToObj(String::valueOf).toList();
        List<String> others = lines.stream()
                .filter(line -> !line.startsWith(RAN) && !line.startsWith(FIRED))
                .toList();
        for (long firing : punctual(lines)) {
            assertThat(runs.getOrDefault(firing, List.of()))
                    .as("runs at firing %s; the processes also printed %s", firing, others)
                    .extracting(Event::job)
                    .containsExactlyInAnyOrderElementsOf(jobs);
        }
    }

    private Process start(RedisServers servers, int number) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djobs=" + JOBS,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        FiringApplication.class.getName(),
                        "--spring.main.web-application-type=none",
                        "--spring.main.banner-mode=off",
                        "--spring.docker.compose.enabled=false",
                        "--logging.level.root=warn",
                        "--spring.task.scheduling.pool.size=" + 2 * JOBS,
                        "--holdfast.nodes=" + String.join(",", servers.addresses()))
                .redirectErrorStream(true)
                .redirectOutput(log(number).toFile())
                .start();
    }

    private Path log(int number) {
        return directory.resolve(number + ".log");
    }

    /**
     * Returns the firings that all jobs of all processes have had, and in which no run was so late that it may change
     * the number of runs. The last firing may be incomplete.
     */
    private static List<Long> punctual(List<String> lines) {
        SortedMap<Long, List<Event>> fired = events(FIRED, lines);
        Map<Long, List<Event>> runs = events(RAN, lines);
        return fired.entrySet().stream()
                .limit(Math.max(0, fired.size() - 1))
                .filter(firing -> firing.getValue().size() == PROCESSES * JOBS)
                .map(Map.Entry::getKey)
                .filter(firing -> latest(runs.get(firing)) < TOO_LATE && latest(runs.get(firing - 1)) < LATE)
                .toList();
    }

    private static int latest(@Nullable List<Event> events) {
        return events == null ? 0 : events.stream().mapToInt(Event::late).max().orElse(0);
    }

    private static SortedMap<Long, List<Event>> events(String prefix, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(prefix))
                .map(Event::of)
                .collect(Collectors.groupingBy(Event::firing, TreeMap::new, Collectors.toList()));
    }

    /** Returns the complete lines of all processes. */
    private List<String> lines() throws IOException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            String text = Files.readString(log(i));
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(all::add);
        }
        return all;
    }
}
