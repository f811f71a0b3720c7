package io.holdfast.scoreboard;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.page.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The scoreboard as a program: runs each contestant beside each fault, and writes the page. */
@Command(
        name = "scoreboard",
        mixinStandardHelpOptions = true,
        description = "Runs each lock library beside each fault, and writes docs/evidence/scoreboard.md.")
public final class Scoreboard implements Callable<Integer> {

    @Option(names = "--libraries", split = ",", description = "Contestants: ${COMPLETION-CANDIDATES}; default all.")
    private Set<Library> libraries = EnumSet.allOf(Library.class);

    @Option(names = "--faults", split = ",", description = "Faults: ${COMPLETION-CANDIDATES}; default all.")
    private Set<FaultKind> faults = EnumSet.allOf(FaultKind.class);

    @Option(names = "--seed", defaultValue = "1", description = "Seed of all choices; default 1.")
    private long seed;

    @Option(names = "--at-once", defaultValue = "4", description = "Cells that run at the same time; default 4.")
    private int atOnce;

    @Option(
            names = "--histories",
            defaultValue = "evidence/scoreboard/target/histories",
            description = "Directory of the histories; default ${DEFAULT-VALUE}.")
    private Path histories = Path.of("");

    @Option(names = "--page", description = "Directory of the page; without it, only the table is printed.")
    private @Nullable Path page;

    @Option(names = "--judge", description = "Run nothing: make the page of the histories that are there.")
    private boolean judges;

    private Scoreboard() {}

    /** See {@code --help}. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Scoreboard()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        System.out.println(Page.head());
        List<Result> results = new ArrayList<>();
        ExecutorService cells = Executors.newFixedThreadPool(judges ? 1 : atOnce);
        List<Future<Result>> running = new ArrayList<>();
        for (FaultKind fault : faults) {
            for (Library library : libraries) {
                if (library.isInstalled() && fault.appliesTo(library)) {
                    CellFiles files = new CellFiles(histories, library, fault);
                    running.add(cells.submit(() -> run(files, library, fault)));
                }
            }
        }
        for (Future<Result> cell : running) {
            results.add(cell.get());
        }
        cells.shutdown();
        if (page != null) {
            Page.write(page, results, seed);
        }
        return 0;
    }

    private Result run(CellFiles files, Library library, FaultKind fault) {
        Result result = judges
                ? files.judge(library, fault, files.seed(seed))
                : run(library, fault, Limits.FULL, seed, histories);
        System.out.println(Page.row(result));
        return result;
    }

    /** Runs a cell, writes its history, and returns what it says. */
    static Result run(Library library, FaultKind fault, Limits limits, long seed, Path histories) {
        CellFiles files = new CellFiles(histories, library, fault);
        long ofCell = files.seed(seed);
        try {
            files.write(ofCell, Cell.run(library, fault, limits, ofCell, files.directory()));
            return files.judge(library, fault, ofCell);
        } catch (IOException | RuntimeException | AssertionError e) {
            return Result.failed(library, fault, ofCell, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Result.failed(library, fault, ofCell, "interrupted");
        }
    }
}
