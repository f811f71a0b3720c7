package io.holdfast.node.memory;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.QuarantineProbe;
import io.holdfast.time.MachineReading;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The knowledge of a node about the length of its quarantine. Each method is a pure step to the next state.
 *
 * @param observer the name of the observer's last probe; empty: there is no observer
 * @param observed the sum of the times of all observers
 * @param name names this quarantine; empty: it has no name yet
 * @param seen the first readings of the clocks of machines, each with the node's clock
 * @param elapsed the longest time that such a clock has shown
 * @param needed the time after which the sender of the last probe admits the node
 */
record Observation(
        String observer,
        Duration observed,
        String name,
        Map<String, FirstReading> seen,
        Duration elapsed,
        Duration needed) {

    /** Bounds the memory of a node. Machines beyond it observe as before. */
    static final int MAX_MACHINES = 16;

    static final Observation NONE = new Observation("", Duration.ZERO, "", Map.of(), Duration.ZERO, Duration.ZERO);

    /** A reading of a machine, and of the node's clock when it arrived. */
    record FirstReading(Duration uptime, long micros) {}

    /** Returns the time that has certainly passed since the quarantine began. */
    Duration total() {
        return longer(observed, elapsed);
    }

    /** Returns the rest of the quarantine. */
    Duration left() {
        return longer(Duration.ZERO, needed.minus(total()));
    }

    /** Returns {@code true} if the sender of the probe has received a report in this quarantine. */
    boolean isKnownTo(QuarantineProbe probe) {
        return observer.equals(probe.observer()) || (!name.isEmpty() && name.equals(probe.quarantine()));
    }

    /** Adds the time that the probe shows. */
    Observation counted(QuarantineProbe probe, long micros) {
        boolean ours = observer.equals(probe.observer());
        Duration sum = ours ? observed.plus(probe.observed()) : observed;
        String named = name.isEmpty() && !probe.next().equals(probe.observer()) ? probe.next() : name;
        MachineReading reading = probe.clock();
        FirstReading first = reading == null ? null : seen.get(reading.machine());
        if (reading == null) {
            return new Observation(observer, sum, named, seen, elapsed, probe.needed());
        } else if (first != null) {
            Duration byServer = Duration.ofNanos((micros - first.micros()) * 1_000);
            Duration shown = shorter(reading.uptime().minus(first.uptime()), byServer);
            return new Observation(observer, sum, named, seen, longer(elapsed, shown), probe.needed());
        }
        if (name.isEmpty() || !name.equals(probe.quarantine()) || seen.size() >= MAX_MACHINES) {
            return new Observation(observer, sum, named, seen, elapsed, probe.needed());
        }
        Map<String, FirstReading> next = new HashMap<>(seen);
        next.put(reading.machine(), new FirstReading(reading.uptime(), micros));
        return new Observation(observer, sum, named, Map.copyOf(next), elapsed, probe.needed());
    }

    /** Makes the sender of the probe the observer if there is none, or if it was the observer or takes over. */
    Observation observedBy(QuarantineProbe probe) {
        boolean next = observer.isEmpty() || observer.equals(probe.observer()) || probe.takeOver();
        return new Observation(next ? probe.next() : observer, observed, name, seen, elapsed, needed);
    }
}
