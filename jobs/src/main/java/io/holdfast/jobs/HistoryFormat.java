package io.holdfast.jobs;

import io.holdfast.HeldRecord;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The notation of a history, which {@link JobHistory} describes. */
final class HistoryFormat {

    private static final String WORD = "runs-2";
    private static final String NOTHING = "-";
    private static final String FIELD_END = "\t";

    /** The end of the year 9999, in milliseconds since 1970. No clock of a machine goes so far. */
    private static final long LATEST_MILLIS = 253_402_300_799_999L;

    private HistoryFormat() {}

    /** Returns the history in a text; empty if it has another format. */
    static Optional<JobHistory> parse(String text) {
        if (text.isEmpty()) {
            return Optional.of(JobHistory.NONE);
        }
        List<String> lines = text.lines().toList();
        String[] header = lines.get(0).split(FIELD_END, -1);
        try {
            return header[0].equals(WORD)
                    ? Optional.of(new JobHistory(
                            instant(header[1]).map(start -> new JobHistory.Mark(start, header[3])),
                            keep(Duration.ofMillis(Long.parseLong(header[2]))),
                            header[4].equals(NOTHING) ? Optional.empty() : Optional.of(duration(header[4])),
                            lines.stream().skip(1).flatMap(HistoryFormat::run).toList()))
                    : Optional.empty();
        } catch (IllegalArgumentException | IndexOutOfBoundsException damaged) {
            return Optional.empty();
        }
    }

    /** Returns the run in a line; none if it has no such run. */
    private static Stream<JobRun> run(String line) {
        String[] fields = line.split(FIELD_END, -1);
        try {
            return Stream.of(new JobRun(
                    Long.parseLong(fields[0]),
                    time(fields[1]),
                    duration(fields[2]),
                    new JobRun.Runner(fields[6], fields[7], Long.parseLong(fields[8]), fields[9], fields[10]),
                    instant(fields[3]).map(end -> new JobRun.Outcome(end, status(fields[4]), fields[5]))));
        } catch (IllegalArgumentException | IndexOutOfBoundsException unknown) {
            return Stream.empty();
        }
    }

    private static JobRun.Status status(String word) {
        return Stream.of(JobRun.Status.values())
                .filter(status -> word(status).equals(word))
                .findFirst()
                .orElse(JobRun.Status.FAILED);
    }

    /** Returns the word for a way in which a run ends. */
    static String word(JobRun.Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    private static Optional<Instant> instant(String millis) {
        return millis.equals(NOTHING) ? Optional.empty() : Optional.of(time(millis));
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(bounded(millis, LATEST_MILLIS));
    }

    /** A record with another time to live could not be written again. */
    private static Duration keep(Duration stored) {
        return Durations.longer(JobHistory.SHORTEST_KEEP, Durations.shorter(stored, HeldRecord.MAX_KEEP));
    }

    private static Duration duration(String millis) {
        return Duration.ofMillis(bounded(millis, Durations.FOREVER.toMillis()));
    }

    /** The sum of two larger numbers would not be a time any more, and a reader of it would fail. */
    private static long bounded(String millis, long largest) {
        long number = Long.parseLong(millis);
        if (number < 0 || number > largest) {
            throw new NumberFormatException(millis + " is out of range");
        }
        return number;
    }

    /** Returns the first line of a history. */
    static String header(JobHistory history) {
        return String.join(
                FIELD_END,
                WORD,
                millis(history.mark().map(JobHistory.Mark::start)),
                Long.toString(history.keep().toMillis()),
                history.mark().map(JobHistory.Mark::program).orElse(""),
                history.expectEvery()
                        .map(every -> Long.toString(every.toMillis()))
                        .orElse(NOTHING));
    }

    /** Returns the line of a run. */
    static String line(JobRun run) {
        return String.join(
                FIELD_END,
                Long.toString(run.fence()),
                Long.toString(run.start().toEpochMilli()),
                Long.toString(run.waited().toMillis()),
                millis(run.outcome().map(JobRun.Outcome::end)),
                run.outcome().map(end -> word(end.status())).orElse(NOTHING),
                run.outcome().map(JobRun.Outcome::text).orElse(""),
                run.runner().user(),
                run.runner().host(),
                Long.toString(run.runner().pid()),
                run.runner().program(),
                run.runner().kind());
    }

    private static String millis(Optional<Instant> time) {
        return time.map(some -> Long.toString(some.toEpochMilli())).orElse(NOTHING);
    }
}
