package io.holdfast.cli.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The last runs under a lock, and the success that counts for {@code --once-per}. The text that the servers store has a
 * line for the whole and one for each run, with fields between tabs.
 *
 * @param mark the last success of a run with {@code --once-per}, or of {@code holdfast mark}
 * @param keep the time for which the history is of use
 * @param runs the runs, the newest first
 */
public record PastRuns(Optional<Mark> mark, Duration keep, List<PastRun> runs) {

    /**
     * A success that counts for {@code --once-per}.
     *
     * @param start when the command started
     * @param program the program, without its directory and its arguments; empty if an administrator stated the success
     */
    public record Mark(Instant start, String program) {

        private static Mark of(PastRun run) {
            return new Mark(run.start(), nameOf(run.process().program()));
        }

        /** Returns whether another program than this one succeeded, as far as it is recorded. */
        public boolean isOfAnother(String other) {
            return !program.isEmpty() && !program.equals(nameOf(PastRun.Runner.shortened(other)));
        }

        private static String nameOf(String path) {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /** The greatest number of runs. */
    public static final int MOST_RUNS = 20;

    /** The time for which the servers store runs, unless a period is longer. */
    public static final Duration SHORTEST_KEEP = Duration.ofDays(30);

    /** A history without runs. */
    public static final PastRuns NONE = new PastRuns(Optional.empty(), SHORTEST_KEEP, List.of());

    private static final String VERSION = "runs-1";
    private static final String NOTHING = "-";
    private static final String FIELD_END = "\t";
    private static final int RUN_FIELDS = 10;

    private static final int LONGEST_TEXT = 8_000;

    /** Returns the history in a text; empty if another version of this program has written it. */
    public static Optional<PastRuns> parse(String text) {
        if (text.isEmpty()) {
            return Optional.of(NONE);
        }
        try {
            List<String> lines = text.lines().toList();
            String[] whole = lines.get(0).split(FIELD_END, -1);
            return whole[0].equals(VERSION)
                    ? Optional.of(new PastRuns(
                            instant(whole[1]).map(start -> new Mark(start, whole[3])),
                            Duration.ofMillis(Long.parseLong(whole[2])),
                            lines.stream().skip(1).map(PastRuns::parseRun).toList()))
                    : Optional.empty();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static PastRun parseRun(String line) {
        String[] fields = line.split(FIELD_END, RUN_FIELDS);
        return new PastRun(
                Long.parseLong(fields[0]),
                Instant.ofEpochMilli(Long.parseLong(fields[1])),
                Duration.ofMillis(Long.parseLong(fields[2])),
                new PastRun.Runner(fields[6], fields[7], Long.parseLong(fields[8]), fields[9]),
                instant(fields[3])
                        .map(end -> new PastRun.Outcome(end, Integer.parseInt(fields[4]), fields[5].equals("lost"))));
    }

    private static Optional<Instant> instant(String millis) {
        return millis.equals(NOTHING) ? Optional.empty() : Optional.of(Instant.ofEpochMilli(Long.parseLong(millis)));
    }

    /** Returns the history as a text for the servers. Drops the oldest runs if it is too long. */
    public String text() {
        StringBuilder text = new StringBuilder(String.join(
                FIELD_END,
                VERSION,
                millis(mark.map(Mark::start)),
                Long.toString(keep.toMillis()),
                mark.map(Mark::program).orElse("")));
        for (PastRun run : runs) {
            String line = "\n" + text(run);
            if (text.length() + line.length() > LONGEST_TEXT) {
                break;
            }
            text.append(line);
        }
        return text.toString();
    }

    private static String text(PastRun run) {
        return String.join(
                FIELD_END,
                Long.toString(run.fence()),
                Long.toString(run.start().toEpochMilli()),
                Long.toString(run.waited().toMillis()),
                millis(run.outcome().map(PastRun.Outcome::end)),
                run.outcome().map(end -> Integer.toString(end.code())).orElse(NOTHING),
                run.outcome().filter(PastRun.Outcome::lost).isPresent() ? "lost" : NOTHING,
                run.process().user(),
                run.process().host(),
                Long.toString(run.process().pid()),
                run.process().program());
    }

    private static String millis(Optional<Instant> time) {
        return time.map(some -> Long.toString(some.toEpochMilli())).orElse(NOTHING);
    }

    /** Returns this history with a run, in place of an earlier state of that run, and without runs that are too old. */
    public PastRuns with(PastRun run) {
        Stream<PastRun> others = runs.stream()
                .filter(other ->
                        other.fence() != run.fence() && other.start().plus(keep).isAfter(run.start()));
        return new PastRuns(
                mark,
                keep,
                Stream.concat(Stream.of(run), others)
                        .sorted(Comparator.comparingLong(PastRun::fence).reversed())
                        .limit(MOST_RUNS)
                        .toList());
    }

    /** Returns this history with the success of a run with {@code --once-per}; a run that failed changes nothing. */
    public PastRuns markedBy(PastRun run) {
        return run.isSuccess() ? withMark(Optional.of(Mark.of(run))) : this;
    }

    /** Returns this history with the success that an administrator states, or with none. */
    public PastRuns withMark(Optional<Mark> stated) {
        return new PastRuns(stated, keep, runs);
    }

    /** Returns this history with a time to live of at least this. */
    public PastRuns keptFor(Duration time) {
        return time.compareTo(keep) > 0 ? new PastRuns(mark, time, runs) : this;
    }

    /** Returns the newest run except the one under this fencing token, which holds the lock now. */
    public Optional<PastRun> lastBefore(long fence) {
        return runs.stream().filter(run -> run.fence() != fence).findFirst();
    }
}
