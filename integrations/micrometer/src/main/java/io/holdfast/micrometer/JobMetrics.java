package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.event.LockEvent;
import io.holdfast.event.Registration;
import io.holdfast.jobs.JobOverview;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * The meters of all jobs that the nodes of a client list, whichever process runs them. A reading of a meter asks the
 * nodes in the background, at most once in the time of the {@linkplain JobOverview overview}, and shows what the one
 * before has found, at its moment. So all jobs appear at the third scrape, also after a pause of {@linkplain
 * JobOverview#LONGEST_SHOWN ten minutes}: the second one registers their meters. No run asks the nodes for them.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name<th>kind<th>tags
 *   <tr><td>{@code holdfast.jobs}<td>gauge: the number of jobs; NaN if the nodes have not listed them<td>
 *   <tr><td>{@code holdfast.job.overdue}<td>gauge: 1 if the job is overdue, else 0<td>{@code lock}
 *   <tr><td>{@code holdfast.job.failed}<td>gauge: 1 if the last run failed, lost its lock, or did not report its end
 *   <td>{@code lock}
 *   <tr><td>{@code holdfast.job.running}<td>gauge: 1 if a run goes on<td>{@code lock}
 *   <tr><td>{@code holdfast.job.last.success.timestamp}<td>gauge: the start of the last success, in seconds since 1970
 *   <td>{@code lock}
 *   <tr><td>{@code holdfast.job.next.due.timestamp}<td>gauge: when the job is due, in seconds since 1970
 *   <td>{@code lock}
 *   <tr><td>{@code holdfast.job.last.duration}<td>gauge: how long the last success took, in seconds<td>{@code lock}
 *   <tr><td>{@code holdfast.job.runs}<td>timer of the runs of this process<td>{@code lock}, {@code outcome} succeeded,
 *   failed, lost or ended
 * </table>
 *
 * <p>The tag {@code lock} is the name of the job, since jobs are few. Of the jobs of one {@linkplain LockGroups group},
 * the first three meters show the number, and the others the worst: the oldest success, the next that is due, the
 * longest duration. A gauge whose value is not known is NaN.
 *
 * <p>Thread-safe.
 */
public final class JobMetrics implements MeterBinder, AutoCloseable {

    private final Holdfast holdfast;
    private final JobOverview overview;
    private final LockGroups groups;
    private final Tags tags;
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();
    private final Set<MeterRegistry> bound = ConcurrentHashMap.newKeySet();

    /** Creates meters with an overview of their own, and a group for each of the first 100 jobs. */
    public JobMetrics(Holdfast holdfast) {
        this(holdfast, new JobOverview(holdfast), names(), Tags.empty());
    }

    /**
     * Creates meters.
     *
     * @param overview the reading that the meters share with others
     * @param groups the groups of jobs, which are the values of the tag {@code lock}, such as {@link #names}
     * @param tags further tags of all meters, which distinguish several clients of one process
     */
    public JobMetrics(Holdfast holdfast, JobOverview overview, LockGroups groups, Iterable<Tag> tags) {
        this.holdfast = holdfast;
        this.overview = overview;
        this.groups = groups;
        this.tags = Tags.of(tags);
    }

    /** Returns a group for each job, of at most {@value LockGroups#DEFAULT_LIMIT}; the others are one group. */
    public static LockGroups names() {
        return LockGroups.by(UnaryOperator.identity(), LockGroups.DEFAULT_LIMIT);
    }

    /** Registers the meters. A second call for the same registry has no effect. */
    @Override
    public void bindTo(MeterRegistry registry) {
        if (bound.add(registry)) {
            JobGauges gauges = new JobGauges(registry, overview, groups, tags);
            registrations.add(holdfast.onEvent(event -> count(registry, event)));
            registrations.add(gauges::close);
        }
    }

    private void count(MeterRegistry registry, LockEvent event) {
        if (event instanceof LockEvent.RunEnded run) {
            Timer.builder("holdfast.job.runs")
                    .description("Runs of jobs in this process")
                    .tags(tags.and("lock", groups.of(run.resource()), "outcome", run.outcome()))
                    .register(registry)
                    .record(run.took());
        }
    }

    /** Removes the gauges from the registry, and ends the updates of the timers. A second call has no effect. */
    @Override
    public void close() {
        registrations.forEach(Registration::close);
        registrations.clear();
        bound.clear();
    }
}
