package io.holdfast.scoreboard;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Outcome;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The result of a cell of the scoreboard.
 *
 * @param outcome what was observed, or null if the run could not be made
 * @param problem why it could not be made, or an empty text
 * @param history the file of the history, or null if the run could not be made
 */
public record Result(
        Library library,
        FaultKind fault,
        long seed,
        @Nullable Outcome outcome,
        String problem,
        @Nullable Path history) {

    /** Returns the result of a run that could not be made. */
    public static Result failed(Library library, FaultKind fault, long seed, String problem) {
        return new Result(library, fault, seed, null, problem, null);
    }
}
