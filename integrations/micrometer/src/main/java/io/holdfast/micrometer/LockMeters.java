package io.holdfast.micrometer;

import io.holdfast.event.LockEvent;
import io.holdfast.event.LockEvent.Ended;
import io.holdfast.event.LockEvent.Granted;
import io.holdfast.event.LockEvent.Refused;
import io.holdfast.event.LockEvent.Renewed;
import io.holdfast.event.LockEvent.Requested;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** The meters of locks in one registry, updated by the events of one client. Events arrive one after another. */
final class LockMeters implements Consumer<LockEvent> {

    /**
     * The bounds of the buckets: each is about three times the one before. Each costs a time series for every lock and
     * outcome.
     */
    private static final Duration[] WAITS = LongStream.of(1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final BoundGauges gauges;
    private final LockGroups groups;
    private final Tags tags;
    private final HeldLeases held;
    private final Map<String, AtomicLong> leases = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> waiters = new ConcurrentHashMap<>();

    LockMeters(MeterRegistry registry, BoundGauges gauges, LockGroups groups, Tags tags) {
        this.registry = registry;
        this.gauges = gauges;
        this.groups = groups;
        this.tags = tags;
        this.held = new HeldLeases(() -> registry.config().clock().monotonicTime());
        gauges.add(Gauge.builder("holdfast.lease.left", held::leastSeconds)
                .description("Shortest time for which a held lease is valid without a renewal")
                .baseUnit(NodeMeters.SECONDS)
                .tags(tags));
    }

    @Override
    public void accept(LockEvent event) {
        if (event instanceof Requested requested) {
            waiters(requested.resource()).incrementAndGet();
        } else if (event instanceof Granted granted) {
            granted(granted);
        } else if (event instanceof Refused refused) {
            noLongerWaits(refused.resource());
            String outcome = refused.reason().name().toLowerCase(Locale.ROOT);
            acquire(refused.resource(), refused.mode(), outcome, refused.waited());
        } else if (event instanceof Renewed renewed) {
            renewed(renewed);
        } else if (event instanceof Ended ended) {
            ended(ended);
        }
    }

    private void granted(Granted granted) {
        noLongerWaits(granted.resource());
        acquire(granted.resource(), granted.mode(), "acquired", granted.waited());
        if (held.add(granted.resource(), granted.fencingToken(), granted.remaining())) {
            leases(granted.resource()).incrementAndGet();
        }
    }

    private void acquire(String resource, LockMode mode, String outcome, Duration waited) {
        Timer.builder("holdfast.acquire")
                .description("Time from the request for a lock to its grant or refusal")
                .tags(tags.and(
                        "lock", groups.of(resource), "mode", mode.name().toLowerCase(Locale.ROOT), "outcome", outcome))
                .serviceLevelObjectives(WAITS)
                .register(registry)
                .record(waited);
    }

    private void renewed(Renewed renewed) {
        held.renewed(renewed.resource(), renewed.fencingToken(), renewed.remaining());
        renewals(groups.of(renewed.resource()), renewed.confirmed()).increment();
    }

    private Counter renewals(String group, boolean confirmed) {
        return Counter.builder("holdfast.lease.renewals")
                .description("Renewals and extensions of leases")
                .tags(tags.and("lock", group, "outcome", confirmed ? "confirmed" : "unconfirmed"))
                .register(registry);
    }

    private void ended(Ended ended) {
        if (held.remove(ended.resource(), ended.fencingToken())) {
            leases(ended.resource()).decrementAndGet();
        }
        String group = groups.of(ended.resource());
        Timer.builder("holdfast.lease.held")
                .description("Time from the grant of a lease to its end")
                .tags(tags.and("lock", group, "end", end(ended.how())))
                .register(registry)
                .record(ended.heldFor());
        Loss loss = ended.loss();
        if (loss != null) {
            losses(group, loss.reason()).increment();
        }
    }

    private Counter losses(String group, LossReason reason) {
        return Counter.builder("holdfast.lease.lost")
                .description("Leases that were lost")
                .tags(tags.and("lock", group, "reason", reason.name().toLowerCase(Locale.ROOT)))
                .register(registry);
    }

    /** Registers all counters of a group with zero: Prometheus sees no increase if a counter begins with one. */
    private void registerCounters(String group) {
        for (LossReason reason : LossReason.values()) {
            losses(group, reason);
        }
        renewals(group, true);
        renewals(group, false);
    }

    private static String end(Ended.How how) {
        return switch (how) {
            case RELEASED -> "released";
            case DETACHED -> "detached";
            case LOST, CLOSED -> "lost";
        };
    }

    private AtomicLong leases(String resource) {
        String group = groups.of(resource);
        if (!leases.containsKey(group)) {
            registerCounters(group);
        }
        return number(leases, "holdfast.leases", "Leases that are held", group);
    }

    /** A request from before the binding was not counted. */
    private void noLongerWaits(String resource) {
        waiters(resource).updateAndGet(count -> Math.max(0, count - 1));
    }

    private AtomicLong waiters(String resource) {
        return number(waiters, "holdfast.waiters", "Requests for locks that wait", groups.of(resource));
    }

    private AtomicLong number(Map<String, AtomicLong> numbers, String name, String description, String group) {
        return numbers.computeIfAbsent(group, first -> {
            AtomicLong number = new AtomicLong();
            gauges.add(Gauge.builder(name, () -> Math.max(0, number.get()))
                    .description(description)
                    .tags(tags.and("lock", group)));
            return number;
        });
    }
}
