package io.holdfast.servers;

import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class FreePortsTest {

    /** A second range stands for that of another process. */
    @Test
    void take_twoProcesses_useDifferentPorts() {
        FreePorts one = FreePorts.reserve();
        FreePorts other = FreePorts.reserve();
        assertThat(List.of(one, other)).allMatch(FreePorts::isReserved);

        List<Integer> ports = Stream.of(one, other)
                .flatMap(range -> IntStream.range(0, 100).mapToObj(i -> range.take()))
                .toList();

        assertThat(ports).doesNotHaveDuplicates();
    }

    /** A new process inherits the sockets of this one for a moment. */
    @Test
    void isFree_processesStartMeanwhile_isTrue() {
        int port = FreePorts.next();
        CompletableFuture<Void> starts = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 50; i++) {
                run("true");
            }
        });

        while (!starts.isDone()) {
            assertThat(FreePorts.isFree(port)).isTrue();
        }
        result(starts);
    }

    private static void run(String program) {
        try {
            new ProcessBuilder(program).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("cannot run " + program, e);
        }
    }
}
