package io.holdfast.simulation.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No clients are wrongly reported to wait for each other. */
@Tag("slow")
@Tag("evidence")
class CycleRunTest {

    private static final long SEEDS = 10;
    private static final long PER_SEED = 1_000;

    @Test
    void run_nestedLocksInOneOrder_namesNoWrongCycleAlthoughSomeReadingsSeemToShowOne() {
        List<CycleRun.Result> results = LongStream.range(0, SEEDS)
                .mapToObj(seed -> CycleRun.of(seed, PER_SEED))
                .toList();

        assertThat(results).allSatisfy(result -> {
            assertThat(result.granted()).isGreaterThanOrEqualTo(PER_SEED);
            assertThat(result.wrong()).isEmpty();
        });
        assertThat(results.stream().mapToLong(CycleRun.Result::seeming).sum()).isPositive();
    }
}
