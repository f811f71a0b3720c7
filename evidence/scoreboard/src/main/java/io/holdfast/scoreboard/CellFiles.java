package io.holdfast.scoreboard;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Event;
import io.holdfast.scoreboard.witness.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The history of a cell, and the directory of its processes. */
final class CellFiles {

    private static final List<Library> LIBRARIES = List.of(Library.values());
    private static final List<FaultKind> FAULTS = List.of(FaultKind.values());

    /** More than there are cells. */
    private static final long SEED_STEP = 1_000;

    private final Path histories;
    private final String name;
    private final long number;

    CellFiles(Path histories, Library library, FaultKind fault) {
        this.histories = histories;
        this.name = (library + "-" + fault).toLowerCase(Locale.ROOT).replace('_', '-');
        this.number = (long) LIBRARIES.indexOf(library) * FAULTS.size() + FAULTS.indexOf(fault);
    }

    /** Returns the seed of the cell in a run with this seed. */
    long seed(long ofRun) {
        return ofRun * SEED_STEP + number;
    }

    Path directory() throws IOException {
        return Files.createDirectories(histories.resolve(name));
    }

    private Path history() {
        return histories.resolve(name + ".jsonl");
    }

    void write(List<Event> history) throws IOException {
        Files.write(history(), history.stream().map(Event::json).toList());
    }

    /** Returns what the history says. */
    Result judge(Library library, FaultKind fault, long seedOfRun) {
        try {
            List<Event> history =
                    Files.readAllLines(history()).stream().map(Event::parse).toList();
            return new Result(library, fault, seed(seedOfRun), Outcome.of(history), "");
        } catch (IOException e) {
            return new Result(library, fault, seed(seedOfRun), null, e.toString());
        }
    }
}
