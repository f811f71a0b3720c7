package io.holdfast.scoreboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history that is stored is judged again, with the seed of its run. */
class CellFilesTest {

    private static final long SEED = 4_711;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path histories;

    @Test
    void judge_storedHistory_hasItsSeedAndItsFigures() throws IOException {
        CellFiles files = new CellFiles(histories, Library.SET_NX, FaultKind.HOLDER_PAUSED);
        files.write(
                SEED,
                List.of(new Event(0, 0, Event.Kind.WROTE, 7, 1), new Event(1, -1, Event.Kind.ENDED, Event.NONE, -1)));

        Result result = files.judge(Library.SET_NX, FaultKind.HOLDER_PAUSED, files.seed(1));

        assertThat(result.seed()).isEqualTo(SEED);
        assertThat(Objects.requireNonNull(result.outcome()).updates()).isEqualTo(1);
    }

    @Test
    void judge_noHistory_isUnknown() {
        CellFiles files = new CellFiles(histories, Library.SET_NX, FaultKind.HOLDER_PAUSED);

        assertThat(files.judge(Library.SET_NX, FaultKind.HOLDER_PAUSED, SEED).outcome())
                .isNull();
    }
}
