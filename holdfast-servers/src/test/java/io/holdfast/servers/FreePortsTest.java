package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
