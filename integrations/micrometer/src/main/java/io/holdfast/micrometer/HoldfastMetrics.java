package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.event.Registration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The meters of one client. They do not ask the nodes, and no tag has more values than there are {@linkplain LockGroups
 * groups} of locks or nodes.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name<th>kind<th>tags
 *   <tr><td>{@code holdfast.acquire}<td>timer with a histogram<td>{@code lock}, {@code mode} exclusive or shared,
 *       {@code outcome} acquired, held, tied, unreachable or abandoned
 *   <tr><td>{@code holdfast.lease.held}<td>timer<td>{@code lock}, {@code end} released, lost or detached
 *   <tr><td>{@code holdfast.lease.lost}<td>counter<td>{@code lock}, {@code reason} expired, taken, quorum_unreachable,
 *   hold_limit or closed
 *   <tr><td>{@code holdfast.lease.renewals}<td>counter<td>{@code lock}, {@code outcome} confirmed or unconfirmed
 *   <tr><td>{@code holdfast.lease.left}<td>gauge: the shortest time in seconds for which a held lease is valid; NaN if
 *   none is held<td>
 *   <tr><td>{@code holdfast.leases}<td>gauge: leases that are held<td>{@code lock}
 *   <tr><td>{@code holdfast.waiters}<td>gauge: requests that wait<td>{@code lock}
 *   <tr><td>{@code holdfast.node.up}<td>gauge: 1 if the node is connected and may be used, else 0<td>{@code node}
 *   <tr><td>{@code holdfast.node.votes}<td>gauge: 1 if the vote of the node counts, else 0<td>{@code node}
 *   <tr><td>{@code holdfast.node.quarantine}<td>gauge: the seconds until the node votes again<td>{@code node}
 *   <tr><td>{@code holdfast.quorum.spare}<td>gauge: the nodes that vote beyond the majority; negative if there is no
 *   majority<td>
 * </table>
 *
 * <p>{@link MeteredNodes} adds {@code holdfast.node.requests}.
 *
 * <p>Leases and requests that began before {@link #bindTo} are not counted. If events are lost because the {@linkplain
 * io.holdfast.HoldfastOptions#callbackExecutor callback executor} is 10,000 events behind, which is logged, the gauges
 * of leases and waiters are wrong afterwards.
 *
 * <p>Thread-safe.
 */
public final class HoldfastMetrics implements MeterBinder, AutoCloseable {

    private final Holdfast holdfast;
    private final LockGroups groups;
    private final Tags tags;
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();
    private final Set<MeterRegistry> bound = ConcurrentHashMap.newKeySet();

    /**
     * Creates meters with groups {@linkplain LockGroups#beforeColon before the first colon}, and without further tags.
     */
    public HoldfastMetrics(Holdfast holdfast) {
        this(holdfast, LockGroups.beforeColon(), Tags.empty());
    }

    /**
     * Creates meters.
     *
     * @param groups the groups of locks, which are the values of the tag {@code lock}
     * @param tags further tags of all meters, which distinguish several clients of one process
     */
    public HoldfastMetrics(Holdfast holdfast, LockGroups groups, Iterable<Tag> tags) {
        this.holdfast = holdfast;
        this.groups = groups;
        this.tags = Tags.of(tags);
    }

    /**
     * Registers the meters. A closed client has no further events, so its meters then stay as they are. A second call
     * for the same registry has no effect.
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        if (!bound.add(registry)) {
            return;
        }
        BoundGauges gauges = new BoundGauges(registry);
        new NodeMeters(holdfast::nodes, holdfast::previousNodes, tags).bindTo(gauges);
        registrations.add(holdfast.onEvent(new LockMeters(registry, gauges, groups, tags)));
        registrations.add(gauges::close);
    }

    /**
     * Ends the updates of the meters, and removes the gauges from the registry, so that another client can register its
     * own. Timers and counters remain. A second call has no effect.
     */
    @Override
    public void close() {
        registrations.forEach(Registration::close);
        registrations.clear();
        bound.clear();
    }
}
