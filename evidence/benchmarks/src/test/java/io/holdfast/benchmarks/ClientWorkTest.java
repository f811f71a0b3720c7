package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ClientWorkTest {

    private static final int MEGABYTE = 1_000_000;

    @Test
    void since_otherThreadAllocatesAndWaits_countsBoth() throws Exception {
        CyclicBarrier step = new CyclicBarrier(2);
        byte[][] allocated = new byte[1][];
        Thread other = new Thread(() -> {
            await(step);
            allocated[0] = new byte[MEGABYTE];
            await(step);
            await(step);
        });
        other.start();
        ClientWork before = ClientWork.now();
        await(step);
        await(step);

        ClientWork work = ClientWork.now().since(before);

        assertThat(work.allocatedBytes()).isGreaterThanOrEqualTo(MEGABYTE);
        assertThat(work.waits()).isGreaterThanOrEqualTo(1);
        assertThat(work.per(10).allocatedBytes()).isEqualTo(work.allocatedBytes() / 10);
        await(step);
        other.join();
        assertThat(allocated[0]).hasSize(MEGABYTE);
    }

    private static void await(CyclicBarrier step) {
        try {
            step.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
