package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.JavaProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The purpose of a lock: several processes lose no update. */
@Tag("server")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class CounterTest {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;
    private static final int INCREMENTS = 10;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void increment_fourProcessesOfFourThreads_losesNoUpdate(int nodes) throws IOException, InterruptedException {
        Path counter = Files.writeString(directory.resolve("counter"), "0");
        List<Process> processes = new ArrayList<>();
        try (RedisServers servers = RedisServers.start(nodes)) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(counter, servers.uris()));
            }
            for (Process process : processes) {
                assertThat(process.waitFor()).isZero();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
        assertThat(counter).hasContent(Integer.toString(PROCESSES * THREADS * INCREMENTS));
    }

    private static Process start(Path counter, List<URI> uris) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of(counter.toString(), Integer.toString(THREADS), Integer.toString(INCREMENTS)));
        uris.forEach(uri -> arguments.add(uri.toString()));
        return JavaProcess.of(List.of(), CounterProcess.class, arguments)
                .inheritIO()
                .start();
    }
}
