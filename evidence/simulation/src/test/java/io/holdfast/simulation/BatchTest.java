package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches of runs: their end, and the order in which they are counted. */
@Tag("slow")
class BatchTest {

    private static final int NODES = 1;
    /** The first of six seeds whose runs are short. */
    private static final long FROM = 2;

    @Test
    void run_enoughLeases_endsAtTheSeedThatReachesThem() {
        Score score = new Batch(FROM, 6, 700, false, false, 0, 2).run(NODES);
        Score oneLess = new Batch(FROM, score.runs() - 1, 700, false, false, 0, 2).run(NODES);

        assertThat(score.granted()).isGreaterThanOrEqualTo(700);
        assertThat(oneLess.granted()).isLessThan(700);
    }

    @Test
    void run_moreThreads_givesTheSameResult() {
        Score one = new Batch(FROM, 6, Long.MAX_VALUE, false, false, 0, 1).run(NODES);
        Score three = new Batch(FROM, 6, Long.MAX_VALUE, false, false, 0, 3).run(NODES);

        assertThat(three.summary()).isEqualTo(one.summary());
    }
}
