package io.holdfast.benchmarks.handover;

import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.handover.Worker.Team;
import java.util.ArrayList;
import java.util.List;

/** Prints the figures of the scenarios in which a lock goes from process to process. */
final class HandOverTable {

    private final boolean distant;

    /** Adds a column of round trips if the servers are distant. */
    HandOverTable(boolean distant) {
        this.distant = distant;
    }

    void head() {
        List<String> columns = new ArrayList<>(List.of(
                "N",
                "library",
                "on disk",
                "threads",
                "holds/s",
                "hand-over, median",
                "hand-over, 99 %",
                "hand-over, longest"));
        if (distant) {
            columns.add("round trips, median");
        }
        columns.addAll(List.of(
                "wait, median", "wait, 99 %", "wait, longest", "Jain's index", "scripts per hand-over and node"));
        Tables.head(columns);
    }

    /**
     * Prints a row.
     *
     * @param roundTripMillis the time of a round trip to a distant server
     * @param scripts the scripts of a node, or -1 if it has none
     */
    void row(HandOver.Setting setting, Team team, HandOverFigures figures, double roundTripMillis, long scripts) {
        List<String> cells = new ArrayList<>(List.of(
                Integer.toString(setting.nodes()),
                team.library().title(),
                team.library().durability(),
                Integer.toString(team.threads() * setting.processes()),
                Tables.number("%.0f", figures.holdsPerSecond())));
        Spread handOvers = figures.handOvers();
        cells.addAll(Tables.latency("%.2f ms", handOvers));
        if (distant) {
            cells.add(
                    handOvers.count() == 0 ? Tables.NONE : Tables.number("%.2f", handOvers.median() / roundTripMillis));
        }
        cells.addAll(Tables.latency("%.1f ms", figures.waits()));
        cells.add(Tables.number("%.3f", figures.jain()));
        cells.add(
                scripts < 0 || handOvers.count() == 0
                        ? Tables.NONE
                        : Tables.number("%.1f", scripts / (double) handOvers.count()));
        Tables.row(cells);
    }
}
