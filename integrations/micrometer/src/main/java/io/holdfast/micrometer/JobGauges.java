package io.holdfast.micrometer;

import io.holdfast.jobs.JobOverview;
import io.holdfast.jobs.JobStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of jobs in one registry. Those of a job exist while the nodes list it. A reading of any of them lets the
 * overview read the jobs again when that is too long ago. All show the state at the moment at which the jobs were read.
 * Thread-safe.
 */
final class JobGauges {

    private static final double MILLIS_PER_SECOND = 1e3;

    private static final List<Kind> KINDS = List.of(
            new Kind("overdue", "1 if the job is overdue", null, number(JobStatus::isOverdue)),
            new Kind(
                    "failed",
                    "1 if the last run of the job failed, lost its lock, or did not report its end",
                    null,
                    number((job, now) -> job.isFailed())),
            new Kind(
                    "running",
                    "1 if a run of the job goes on",
                    null,
                    number((job, now) -> job.running().isPresent())),
            new Kind(
                    "last.success.timestamp",
                    "Start of the last success of the job",
                    NodeMeters.SECONDS,
                    earliest((job, now) -> job.history().lastSuccess(now))),
            new Kind("next.due.timestamp", "When the job is due", NodeMeters.SECONDS, earliest(JobStatus::nextDue)),
            new Kind(
                    "last.duration",
                    "How long the last success of the job took",
                    NodeMeters.SECONDS,
                    (jobs, now) -> jobs.stream()
                            .flatMap(job -> job.duration().stream())
                            .mapToDouble(took -> took.toMillis() / MILLIS_PER_SECOND)
                            .max()
                            .orElse(Double.NaN)));

    /** A gauge of a group of jobs. */
    private record Kind(
            String name,
            String description,
            @Nullable String unit,
            ToDoubleBiFunction<List<JobStatus>, Instant> value) {}

    private static ToDoubleBiFunction<List<JobStatus>, Instant> number(BiPredicate<JobStatus, Instant> isCounted) {
        return (jobs, now) ->
                jobs.stream().filter(job -> isCounted.test(job, now)).count();
    }

    private static ToDoubleBiFunction<List<JobStatus>, Instant> earliest(
            BiFunction<JobStatus, Instant, Optional<Instant>> moment) {
        return (jobs, now) -> jobs.stream()
                .flatMap(job -> moment.apply(job, now).stream())
                .mapToDouble(time -> time.toEpochMilli() / MILLIS_PER_SECOND)
                .min()
                .orElse(Double.NaN);
    }

    private final JobOverview overview;
    private final LockGroups groups;
    private final BoundGauges total;
    private final Map<Kind, MultiGauge> gauges;
    private JobOverview.@Nullable Reading shown;
    private Map<String, List<JobStatus>> jobs = Map.of();
    private boolean isClosed;

    JobGauges(MeterRegistry registry, JobOverview overview, LockGroups groups, Tags tags) {
        this.overview = overview;
        this.groups = groups;
        this.gauges = KINDS.stream()
                .collect(Collectors.toMap(
                        kind -> kind,
                        kind -> MultiGauge.builder("holdfast.job." + kind.name())
                                .description(kind.description())
                                .baseUnit(kind.unit())
                                .tags(tags)
                                .register(registry)));
        this.total = new BoundGauges(registry);
        total.add(Gauge.builder("holdfast.jobs", this::count)
                .description("Jobs that the nodes list")
                .tags(tags));
    }

    private double count() {
        JobOverview.Reading reading = update();
        return reading.isKnown() ? reading.jobs().size() : Double.NaN;
    }

    private synchronized double value(Kind kind, String group) {
        JobOverview.Reading reading = update();
        return Optional.ofNullable(jobs.get(group))
                .map(members -> kind.value().applyAsDouble(members, reading.begun()))
                .orElse(Double.NaN);
    }

    /** Returns the last reading. If it is a new one, registers gauges for its jobs, and removes those of others. */
    private synchronized JobOverview.Reading update() {
        JobOverview.Reading reading = overview.latest();
        if (!reading.equals(shown) && !isClosed) {
            shown = reading;
            // A job whose newest run may be missing is left out: it would be overdue without a reason.
            jobs = reading.jobs().stream()
                    .filter(JobStatus::isComplete)
                    .collect(Collectors.groupingBy(job -> groups.of(job.name())));
            gauges.forEach((kind, gauge) -> gauge.register(rows(kind), false));
        }
        return reading;
    }

    private List<MultiGauge.Row<?>> rows(Kind kind) {
        return jobs.keySet().stream()
                .<MultiGauge.Row<?>>map(
                        group -> MultiGauge.Row.of(Tags.of("lock", group), this, all -> all.value(kind, group)))
                .toList();
    }

    /** Removes the gauges. A second call has no effect. */
    synchronized void close() {
        isClosed = true;
        jobs = Map.of();
        total.close();
        gauges.values().forEach(gauge -> gauge.register(List.of(), true));
    }
}
