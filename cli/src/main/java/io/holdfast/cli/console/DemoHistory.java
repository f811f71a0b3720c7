package io.holdfast.cli.console;

import io.holdfast.Holdfast;
import io.holdfast.jobs.Job;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobPeriod;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/** Jobs of the demonstration that ran before it began: by a clock that was set back, one run after another. */
final class DemoHistory {

    private static final int RUNS = JobHistory.MOST_RUNS;
    /** A run fails once in so many. */
    private static final int BAD_RUN = 11;

    private final Holdfast client;
    private final Random random = new Random(RUNS);
    /** The time of the run that is being recorded. */
    private Instant now = Instant.EPOCH;

    private DemoHistory(Holdfast client) {
        this.client = client;
    }

    /** Records a nightly job that is in time, and an hourly one that has not run for three hours. */
    static void record(Holdfast client, Instant now) throws InterruptedException {
        DemoHistory history = new DemoHistory(client);
        history.record("backup", Duration.ofDays(1), now.minus(Duration.ofHours(6)), Duration.ofMinutes(14));
        history.record("prices", Duration.ofHours(1), now.minus(Duration.ofMinutes(200)), Duration.ofMinutes(3));
    }

    private void record(String name, Duration every, Instant last, Duration takes) throws InterruptedException {
        Job job = Job.of(client, name)
                .oncePer(JobPeriod.of(Durations.part(every, 2)))
                .expectEvery(every)
                .withClock(() -> now)
                .withProgram(name + ".jar");
        for (int run = RUNS - 1; run >= 0; run--) {
            now = last.minus(Durations.times(every, run));
            boolean fails = random.nextInt(BAD_RUN) == 0;
            try {
                job.run(current -> {
                    now = now.plus(Durations.times(Durations.part(takes, 100), 70 + random.nextInt(60)));
                    if (fails) {
                        throw new IllegalStateException("planned");
                    }
                });
            } catch (IllegalStateException planned) {
                // The next run follows as usual.
            }
        }
    }
}
