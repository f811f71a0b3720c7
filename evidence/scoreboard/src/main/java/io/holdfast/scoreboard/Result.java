package io.holdfast.scoreboard;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of a cell of the scoreboard.
 *
 * @param outcome what was observed, or null if the run could not be made
 * @param problem why it could not be made, or an empty text
 */
public record Result(
        Library library,
        FaultKind fault,
        long seed,
        @Nullable Outcome outcome,
        String problem) {}
