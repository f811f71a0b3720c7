package io.holdfast.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void median_ofFewRounds_isTheOneInTheMiddle() {
        assertThat(Figures.median(new double[] {7})).isEqualTo(7);
        assertThat(Figures.median(new double[] {3, 1, 2})).isEqualTo(2);
        assertThat(Figures.median(new double[] {5, 3, 1, 2, 4})).isEqualTo(3);
    }

    @Test
    void at_shareOfAThousandValues_isTheValueThatThisShareDoesNotExceed() {
        Spread thousand = Spread.of(IntStream.rangeClosed(1, 1000).asDoubleStream());

        assertThat(thousand.at(0.99)).isEqualTo(990);
        assertThat(thousand.at(1)).isEqualTo(1000);
        assertThat(thousand.median()).isEqualTo(500);
    }

    @Test
    void latency_withoutValues_hasNoFigures() {
        assertThat(Tables.latency("%.1f ms", Spread.of(DoubleStream.empty()))).containsOnly(Tables.NONE);
    }

    @Test
    void jain_sharesOfThree_areBetweenAThirdAndOne() {
        assertThat(Figures.jain(new long[] {5, 5, 5})).isEqualTo(1);
        assertThat(Figures.jain(new long[] {9, 0, 0})).isEqualTo(1.0 / 3);
    }
}
