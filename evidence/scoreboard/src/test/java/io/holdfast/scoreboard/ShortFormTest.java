package io.holdfast.scoreboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Notified;
import io.holdfast.scoreboard.witness.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three contestants and two faults. The test is strong enough if it shows what two of them are known to lack; each run
 * ends with events, so the outcome does not depend on the speed of the machine.
 */
@Tag("process")
@Tag("evidence")
class ShortFormTest {

    private static final long SEED = 1;

    private static final List<Library> LIBRARIES = List.of(Library.SET_NX, Library.REDISSON, Library.HOLDFAST_1_FENCED);

    private static final List<FaultKind> FAULTS = List.of(FaultKind.HOLDER_PAUSED, FaultKind.RESTARTED_EMPTY);

    @TempDir(cleanup = CleanupMode.NEVER)
    @SuppressWarnings("NullAway.Init")
    private Path histories;

    @Test
    void run_rivals_loseUpdatesAndAreNotTold_holdfastLosesNone() throws Exception {
        Map<Library, List<Outcome>> outcomes = run();

        for (Library rival : List.of(Library.SET_NX, Library.REDISSON)) {
            assertThat(outcomes.get(rival)).as(rival.title()).allSatisfy(outcome -> {
                assertThat(outcome.lost()).isPositive();
                assertThat(outcome.notified()).isEqualTo(Notified.NEVER);
            });
        }
        assertThat(outcomes.get(Library.HOLDFAST_1_FENCED)).allSatisfy(outcome -> {
            assertThat(outcome.lost()).isZero();
            assertThat(outcome.notified()).isNotEqualTo(Notified.NEVER);
        });
    }

    private Map<Library, List<Outcome>> run() throws Exception {
        ExecutorService cells = Executors.newFixedThreadPool(LIBRARIES.size() * FAULTS.size());
        List<Future<Result>> running = new ArrayList<>();
        for (Library library : LIBRARIES) {
            for (FaultKind fault : FAULTS) {
                running.add(cells.submit(() -> Scoreboard.run(library, fault, Limits.PATIENT, SEED, histories)));
            }
        }
        cells.shutdown();
        Map<Library, List<Outcome>> outcomes = new EnumMap<>(Library.class);
        for (Future<Result> cell : running) {
            Result result = cell.get();
            outcomes.computeIfAbsent(result.library(), library -> new ArrayList<>())
                    .add(Objects.requireNonNull(result.outcome(), result.problem()));
        }
        return outcomes;
    }
}
