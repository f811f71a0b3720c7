package io.holdfast.scoreboard.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.scoreboard.FaultKind;
import io.holdfast.scoreboard.Result;
import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Notified;
import io.holdfast.scoreboard.witness.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of three runs: one that lost updates, one that did not, and one that failed. */
class PageTest {

    private static final List<Result> RESULTS = List.of(
            new Result(Library.SET_NX, FaultKind.HOLDER_PAUSED, 1, outcome(2, Notified.NEVER), ""),
            new Result(Library.HOLDFAST_1_FENCED, FaultKind.HOLDER_PAUSED, 2, outcome(0, Notified.AFTER), ""),
            new Result(Library.HOLDFAST_1_FENCED, FaultKind.CLIENT_KILLED, 3, null, "no | server"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static Outcome outcome(long lost, Notified notified) {
        return new Outcome(10, lost, 0, 1_500, 2_000, Spread.of(DoubleStream.of(100)), notified, Set.of());
    }

    private String page() throws IOException {
        Page.write(directory, RESULTS, 1);
        return Files.readString(directory.resolve("scoreboard.md"));
    }

    @Test
    void write_results_namesThoseWithoutLoss() throws IOException {
        assertThat(page())
                .contains("1 of 2 contestants lost updates. These lost none:\n\n- " + Library.HOLDFAST_1_FENCED.title())
                .doesNotContain("{{");
    }

    @Test
    void write_runThatWasNotMade_isNoFavourableFigure() throws IOException {
        assertThat(page())
                .contains("| " + Library.SET_NX.title() + " | **2 of 10** |  |")
                .contains("| " + Library.HOLDFAST_1_FENCED.title() + " | 0 of 10 | ? |");
    }

    @Test
    void write_results_drawsThePictureAndAllFigures() throws IOException {
        page();

        assertThat(directory.resolve("scoreboard.svg")).content().contains("1 of 1", "0 of 1");
        assertThat(directory.resolve("scoreboard.txt"))
                .content()
                .contains("| **2 of 10** | 0 | no | 1.5 | 2.0 | 0.1 | 0.1 | none |", "no server");
    }
}
