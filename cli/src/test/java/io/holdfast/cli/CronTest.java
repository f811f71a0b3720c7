package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.ConfigFile;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Simulates cron on five machines, each with its own configuration, that fires one job on all of them while servers
 * fail. {@code -Dholdfast.cron.firings=200} fires more often.
 */
@Tag("process")
@Tag("evidence")
@Isolated("five processes have to start within seconds")
class CronTest {

    private static final int MACHINES = 5;
    private static final int FIRINGS = Integer.getInteger("holdfast.cron.firings", 5);
    private static final long SEED = Long.getLong("holdfast.seed", 42);

    /** Longer than all machines need to contend. */
    private static final String HOLD = "4s";

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    private final Random random = new Random(SEED);

    @TempDir
    private Path directory;

    @Test
    void run_fiveMachinesAndFailingServers_runsEachFiringOnceOrReportsIt() throws IOException {
        Path log = Files.createFile(directory.resolve("log"));
        List<PackagedCommand> machines = new ArrayList<>();
        for (int i = 0; i < MACHINES; i++) {
            Path config = Files.writeString(
                    directory.resolve("machine-" + i),
                    "nodes=" + String.join(",", servers.addresses()) + "\nmax-lease=5s\n");
            machines.add(new PackagedCommand(directory).with(ConfigFile.VARIABLE, config.toString()));
        }
        int reported = 0;
        for (int firing = 0; firing < FIRINGS; firing++) {
            Runnable repair = injectFault();
            int number = firing;
            List<PackagedCommand.Running> jobs =
                    machines.stream().map(machine -> fire(machine, log, number)).toList();
            List<PackagedCommand.Result> results =
                    jobs.stream().map(PackagedCommand.Running::end).toList();
            repair.run();
            long runs = runs(log, firing);
            assertThat(runs)
                    .as("runs of firing %s, seed %s, %s", firing, SEED, results)
                    .isLessThanOrEqualTo(1);
            assertThat(results.stream().filter(result -> result.code() == 0).count())
                    .as("firing %s, seed %s, %s", firing, SEED, results)
                    .isEqualTo(runs);
            if (runs == 0) {
                reported++;
                assertThat(results)
                        .as("reports of firing %s, seed %s", firing, SEED)
                        .anyMatch(result -> result.code() == 69 && result.err().contains("no majority"));
            }
        }
        // At most one server is down or frozen, so a majority votes again within a quarantine.
        assertThat(reported).as("firings without a run, of %s", FIRINGS).isLessThanOrEqualTo(FIRINGS / 10);
        assertThat(Files.readAllLines(log).stream().map(line -> line.substring(0, 5)))
                .as("never two at a time")
                .containsExactlyElementsOf(
                        IntStream.range(0, Files.readAllLines(log).size())
                                .mapToObj(i -> i % 2 == 0 ? "begin" : "ended")
                                .toList());
    }

    private static PackagedCommand.Running fire(PackagedCommand machine, Path log, int firing) {
        String job = "echo begin " + firing + " >> " + log + "; sleep 0.2; echo ended " + firing + " >> " + log;
        return machine.start("run", "nightly", "-n", "--lease", "5s", "--hold-at-least", HOLD, "--", "sh", "-c", job);
    }

    private static long runs(Path log, int firing) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.equals("begin " + firing))
                .count();
    }

    /** Kills, freezes or empties at most one server. Returns the action that repairs it. */
    private Runnable injectFault() {
        int index = random.nextInt(servers.count());
        return switch (random.nextInt(4)) {
            case 0 -> {
                servers.get(index).freeze();
                yield servers.get(index)::thaw;
            }
            case 1 -> {
                servers.get(index).kill();
                yield servers.get(index)::restartEmpty;
            }
            case 2 -> {
                servers.get(index).exec("FLUSHALL");
                yield () -> {};
            }
            default -> () -> {};
        };
    }
}
