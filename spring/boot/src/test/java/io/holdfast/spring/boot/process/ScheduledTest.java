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
import java.util.TreeMap;
import java.util.stream.Stream;
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

    /** The firings at which the processes still start: a run that begins late keeps its lock beyond the next firing. */
    private static final int STARTING = 3;

    @TempDir
    private Path directory;

    @Test
    @Tag("evidence")
    void fire_manyProcessesAtOneInstant_runsEachFiringOnce() throws Exception {
        List<Process> processes = new ArrayList<>();
        try (RedisServers servers = RedisServers.start(SERVERS)) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(servers, i));
            }
            Eventually.within(Duration.ofMinutes(10), "all processes have fired", () -> {
                assertThat(processes).allMatch(Process::isAlive);
                return common().size() >= FIRINGS + STARTING + 1;
            });
        } finally {
            processes.forEach(Process::destroy);
            for (Process process : processes) {
                process.waitFor();
            }
        }

        List<Long> complete = common().subList(STARTING, STARTING + FIRINGS);
        Map<String, Integer> runs = count("ran ");
        for (long firing : complete) {
            for (int job = 0; job < JOBS; job++) {
                assertThat(runs.getOrDefault(job + " " + firing, 0))
                        .as("runs of job %s at %s; a process that is 3 s late runs it again", job, firing)
                        .isEqualTo(1);
            }
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
     * Returns the firings, in order, that all jobs of all processes have had. The first of a process may be incomplete.
     */
    private List<Long> common() throws IOException {
        Map<Long, Integer> fired = new TreeMap<>();
        count("fired ")
                .forEach((job, times) ->
                        fired.merge(Long.valueOf(job.substring(job.indexOf(' ') + 1)), times, Integer::sum));
        return fired.entrySet().stream()
                .filter(firing -> firing.getValue() == PROCESSES * JOBS)
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<String, Integer> count(String prefix) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < PROCESSES; i++) {
            try (Stream<String> lines = Files.lines(log(i))) {
                lines.filter(line -> line.startsWith(prefix))
                        .forEach(line -> counts.merge(line.substring(prefix.length()), 1, Integer::sum));
            }
        }
        return counts;
    }
}
