package io.holdfast.jobs;

import io.holdfast.record.LockRecord;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The last runs of a job, and the success that counts for its period, as the nodes store them in the record beside the
 * lock. Immutable.
 *
 * <p>The text has a line for the job and one for each run, the newest first. Fields are between tabs, times in
 * milliseconds since 1970, durations in milliseconds; {@code -} means none. The first fields of each line stay for
 * ever, in this order:
 *
 * <ul>
 *   <li>of the first line: the word {@code runs-2}, the start of the success that counts for the period, the time to
 *       live of the record, the program of that success, and how often the job should run;
 *   <li>of a run: its fencing token, its start, its wait for the lock, its end, the word {@code succeeded}, {@code
 *       failed}, {@code lost} or {@code ended}, the exit code or the class of the exception, the user, the machine, the
 *       process id, the program and its kind.
 * </ul>
 *
 * Later versions may add fields behind these, and lines. This version ignores them, and drops them when it writes. A
 * time after the year 9999 and a duration of more than 100 years cannot be read, and neither can negative ones. A run
 * that it cannot read is left out, and an unknown word in place of {@code succeeded} is no success. Only another
 * word than {@code runs-2}, or a first line that cannot be read, makes a history unknown.
 *
 * @param mark the last success of a run with a period, or one that an administrator stated
 * @param keep the time for which the history is of use
 * @param expectEvery how often the job should run; empty if no run has stated it
 * @param runs the runs, the newest first, at most {@link #MOST_RUNS}; of those between the last one and the one before
 *     it, some may be left out
 */
public record JobHistory(Optional<Mark> mark, Duration keep, Optional<Duration> expectEvery, List<JobRun> runs) {

    /**
     * A success that counts for the period of a job.
     *
     * @param start when the run started, by the clock of its machine; not before the period to which it belongs
     * @param program the program, without its directory; empty if an administrator stated the success
     */
    public record Mark(Instant start, String program) {

        /** Creates a success; control characters become blanks, and a long text is cut. */
        public Mark {
            program = JobRun.Runner.shortened(program);
        }

        static Mark of(JobRun run, Instant since) {
            Instant start = run.start().isBefore(since) ? since : run.start();
            return new Mark(start, nameOf(run.runner().program()));
        }

        /** Returns {@code true} if another program than this one succeeded, as far as it is recorded. */
        public boolean isOfAnother(String other) {
            return !program.isEmpty() && !program.equals(nameOf(JobRun.Runner.shortened(other)));
        }

        private static String nameOf(String path) {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /** The greatest number of runs. */
    public static final int MOST_RUNS = 20;

    /** The time for which the nodes store runs, unless a period is longer. */
    public static final Duration SHORTEST_KEEP = Duration.ofDays(30);

    /** A history without runs. */
    public static final JobHistory NONE = new JobHistory(Optional.empty(), SHORTEST_KEEP, Optional.empty(), List.of());

    /** The greatest length of a text, below that of a record. */
    private static final int LONGEST_TEXT = 8_000;

    /** Creates a history. */
    public JobHistory {
        runs = List.copyOf(runs);
    }

    /**
     * Returns the history in a record beside a lock.
     *
     * @return empty if the record is not that of a job, or has a format that this version does not know
     */
    public static Optional<JobHistory> of(LockRecord record) {
        return HistoryFormat.parse(record.text());
    }

    /** Returns the message about a job whose history is in an unknown format, as a sentence without its end. */
    public static String unreadable(String job) {
        return "the record beside '" + job + "' is not one of runs that this version knows; install the same version on"
                + " all machines, and do not use the lock of a job for a record of your own";
    }

    /** Returns the text for the nodes. Leaves out old runs if it is too long. */
    String text() {
        List<JobRun> left = runs;
        String text = text(left);
        while (text.length() > LONGEST_TEXT && !left.isEmpty()) {
            left = newest(left, left.size() - 1);
            text = text(left);
        }
        return text;
    }

    private String text(List<JobRun> left) {
        return Stream.concat(
                        Stream.of(HistoryFormat.header(this)), left.stream().map(HistoryFormat::line))
                .collect(Collectors.joining("\n"));
    }

    /**
     * Returns this history with a run, in place of an earlier state of that run. Drops no run for its age, since the
     * clock of one machine may be wrong: only the newest ones remain, by their fencing tokens. If the job should run
     * so often, its last success remains as well, or its first run if none has succeeded.
     */
    JobHistory with(JobRun run) {
        Stream<JobRun> others = runs.stream().filter(other -> other.fence() != run.fence());
        List<JobRun> all = Stream.concat(Stream.of(run), others)
                .sorted(Comparator.comparingLong(JobRun::fence).reversed())
                .toList();
        return new JobHistory(mark, keep, expectEvery, newest(all, MOST_RUNS));
    }

    /**
     * Returns the newest of these runs. A job that should run so often and fails again and again is overdue since its
     * last success, or since its first run, so the last place is for that one if no other success is there.
     */
    private List<JobRun> newest(List<JobRun> all, int most) {
        List<JobRun> newest = all.subList(0, Math.min(most, all.size()));
        if (expectEvery.isEmpty()
                || newest.size() == all.size()
                || most < 2
                || newest.stream().anyMatch(JobRun::isSuccess)) {
            return newest;
        }
        Optional<JobRun> success = all.stream().filter(JobRun::isSuccess).findFirst();
        if (mark.isPresent()
                && success.filter(run -> run.start().isAfter(mark.get().start()))
                        .isEmpty()) {
            return newest;
        }
        JobRun reference = success.orElse(all.get(all.size() - 1));
        return Stream.concat(newest.stream().limit(most - 1), Stream.of(reference))
                .toList();
    }

    /**
     * Returns this history with the success of a run with a period; a run that failed changes nothing.
     *
     * @param since the beginning of the period to which the run belongs
     */
    JobHistory markedBy(JobRun run, Instant since) {
        return run.isSuccess() ? withMark(Optional.of(Mark.of(run, since))) : this;
    }

    /** Returns this history with the success that an administrator states, or with none. */
    JobHistory withMark(Optional<Mark> stated) {
        return new JobHistory(stated, keep, expectEvery, runs);
    }

    /** Returns this history with a time to live of at least this. */
    JobHistory keptFor(Duration time) {
        return new JobHistory(mark, Durations.longer(keep, time), expectEvery, runs);
    }

    /** Returns this history of a job that should run so often; if that is empty, as often as stated before. */
    JobHistory expecting(Optional<Duration> every) {
        return new JobHistory(mark, keep, every.or(() -> expectEvery), runs);
    }

    JobHistory expectingNothing() {
        return new JobHistory(mark, keep, Optional.empty(), runs);
    }

    /** Returns the newest run, which may go on; empty if only a stated success is known. */
    public Optional<JobRun> lastRun() {
        return runs.stream().findFirst();
    }

    /** Returns the newest run except the one under this fencing token, which holds the lock now. */
    public Optional<JobRun> lastBefore(long fence) {
        return runs.stream().filter(run -> run.fence() != fence).findFirst();
    }

    /**
     * Returns the start of the last success: of a run, or the one that counts for the period. Ignores one that is more
     * than {@link JobRule#CLOCK_TOLERANCE} in the future, which shows a wrong clock. Empty if no other is known.
     */
    public Optional<Instant> lastSuccess(Instant now) {
        return Stream.concat(
                        mark.stream().map(Mark::start),
                        runs.stream().filter(JobRun::isSuccess).map(JobRun::start))
                .filter(start -> !JobRule.isFuture(start, now))
                .max(Comparator.naturalOrder());
    }
}
