package io.holdfast.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/**
 * The gauges of one client in one registry. They show the present, so they end with the client's metrics: a gauge that
 * remained would keep its last value, and the registry would ignore the one of the next client. Thread-safe.
 */
final class BoundGauges {

    private final MeterRegistry registry;
    private final List<Gauge> gauges = new ArrayList<>();
    private boolean closed;

    BoundGauges(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Registers the gauge, unless this is closed: an event may arrive at that moment. */
    synchronized void add(Gauge.Builder<?> gauge) {
        if (!closed) {
            gauges.add(gauge.register(registry));
        }
    }

    /** Removes the gauges. A second call has no effect. */
    synchronized void close() {
        closed = true;
        gauges.forEach(registry::remove);
        gauges.clear();
    }
}
