package io.holdfast.scoreboard.page;

import io.holdfast.scoreboard.FaultKind;
import io.holdfast.scoreboard.Result;
import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** A table with a row for each contestant and a column for each fault. */
final class Matrix {

    /** A run that was not made, or has failed. */
    private static final String UNKNOWN = "?";

    private static final String NOT_APPLICABLE = "";

    private final List<Result> results;

    Matrix(List<Result> results) {
        this.results = List.copyOf(results);
    }

    /** Returns the table as Markdown, with one figure of each result. */
    String of(BiFunction<Result, Outcome, String> figure) {
        List<FaultKind> faults = Arrays.stream(FaultKind.values())
                .filter(fault -> results.stream().anyMatch(result -> result.fault() == fault))
                .toList();
        String heads = faults.stream().map(FaultKind::title).collect(Collectors.joining(" | "));
        String rows = Arrays.stream(Library.values())
                .filter(library -> results.stream().anyMatch(result -> result.library() == library))
                .map(library -> row(library, faults, figure))
                .collect(Collectors.joining("\n"));
        return "| | " + heads + " |\n|" + "---|".repeat(faults.size() + 1) + "\n" + rows;
    }

    private String row(Library library, List<FaultKind> faults, BiFunction<Result, Outcome, String> figure) {
        return "| " + library.title() + " | "
                + faults.stream().map(fault -> cell(library, fault, figure)).collect(Collectors.joining(" | "))
                + " |";
    }

    private String cell(Library library, FaultKind fault, BiFunction<Result, Outcome, String> figure) {
        return results.stream()
                .filter(result -> result.library() == library && result.fault() == fault)
                .findFirst()
                .map(result -> result.outcome() == null ? UNKNOWN : figure.apply(result, result.outcome()))
                .orElse(NOT_APPLICABLE);
    }
}
