package io.holdfast.scoreboard.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.scoreboard.FaultKind;
import io.holdfast.scoreboard.Result;
import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Notified;
import io.holdfast.scoreboard.witness.Outcome;
import io.holdfast.testkit.history.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of three runs: one that lost updates, one that did not, and one that failed. */
class PageTest {

    private static final FileTime DAY = FileTime.from(Instant.parse("2026-01-31T12:00:00Z"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path histories;

    private static Outcome outcome(long lost, Notified notified, Violation.Kind... found) {
        return new Outcome(10, lost, 0, 1_500, 2_000, Spread.of(DoubleStream.of(100)), notified, Set.of(found));
    }

    private Path history(String name) throws IOException {
        Path history = Files.writeString(histories.resolve(name), name);
        return Files.setLastModifiedTime(history, DAY);
    }

    private String page(Violation.Kind... found) throws IOException {
        Outcome lost = outcome(2, Notified.NEVER, found);
        Outcome kept = outcome(0, Notified.AFTER);
        List<Result> results = List.of(
                new Result(Library.SET_NX, FaultKind.HOLDER_PAUSED, 1, lost, "", history("lost.jsonl")),
                new Result(Library.HOLDFAST_1_FENCED, FaultKind.HOLDER_PAUSED, 2, kept, "", history("kept.jsonl")),
                Result.failed(Library.HOLDFAST_1_FENCED, FaultKind.CLIENT_KILLED, 3, "no | server"));
        Page.write(directory, results, 1);
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
                .contains("| " + Library.SET_NX.title() + " | [**2 of 10**](histories/lost.jsonl) |  |")
                .contains("| " + Library.HOLDFAST_1_FENCED.title() + " | 0 of 10 | ? |");
    }

    @Test
    void write_losses_keepsTheirHistoriesOnly() throws IOException {
        Files.writeString(
                Files.createDirectories(directory.resolve("histories")).resolve("earlier.jsonl"), "");

        assertThat(page()).contains("\n2026-01-31, seed 1, one run");

        assertThat(directory.resolve("histories"))
                .isDirectoryContaining("glob:**/lost.jsonl")
                .isDirectoryNotContaining("glob:**/{kept,earlier}.jsonl");
    }

    @Test
    void write_verdictsOfTheChecker_areCompared() throws IOException {
        assertThat(page(Violation.Kind.UPDATE))
                .contains("in the 1 runs in which the counter lost one, and in no other");
        assertThat(page()).contains("in 0 of the 1 runs in which the counter lost one, and in 0 others");
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
