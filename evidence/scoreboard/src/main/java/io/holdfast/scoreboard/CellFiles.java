package io.holdfast.scoreboard;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Event;
import io.holdfast.scoreboard.witness.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The history of a cell, whose first line is its seed, and the directory of its processes. */
final class CellFiles {

    private static final int SEED_STEP = 1_000;
    private static final String SEED = "{\"seed\":";

    private final Path histories;
    private final String name;

    CellFiles(Path histories, Library library, FaultKind fault) {
        this.histories = histories;
        this.name = (library + "-" + fault).toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the seed of the cell in a run with this seed; other cells may come and go. */
    long seed(long ofRun) {
        return ofRun * SEED_STEP + Math.floorMod(name.hashCode(), SEED_STEP);
    }

    Path directory() throws IOException {
        return Files.createDirectories(histories.resolve(name));
    }

    private Path history() {
        return histories.resolve(name + ".jsonl");
    }

    void write(long seed, List<Event> history) throws IOException {
        Files.write(
                history(),
                Stream.concat(Stream.of(SEED + seed + "}"), history.stream().map(Event::json))
                        .toList());
    }

    /** Returns what the history says; the seed is that of a run which has left none. */
    Result judge(Library library, FaultKind fault, long seed) {
        try {
            List<String> lines = Files.readAllLines(history());
            String first = lines.get(0);
            List<Event> history = lines.stream().skip(1).map(Event::parse).toList();
            return new Result(
                    library,
                    fault,
                    Long.parseLong(first.substring(SEED.length(), first.length() - 1)),
                    Outcome.of(history),
                    "",
                    history());
        } catch (IOException e) {
            return Result.failed(library, fault, seed, e.toString());
        }
    }
}
