package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state that an in-memory node keeps about itself. Each method is a pure step to the next marker.
 *
 * @param run the run id for which the other values hold; 0: none
 * @param admitted whether the node votes in that run
 * @param observation the progress of its quarantine in that run
 * @param fences the bounds of the fences of all resources
 * @param config the configuration that the clients share; null: not known yet
 * @param memory what the node may have forgotten when it was admitted
 */
record NodeMarker(
        int run,
        boolean admitted,
        Observation observation,
        FenceBounds fences,
        @Nullable QuorumConfig config,
        Memory memory) {

    static final NodeMarker NONE = new NodeMarker(0, false, Observation.NONE, FenceBounds.NONE, null, Memory.ALL);

    /**
     * The beginning of the memory of a node.
     *
     * @param sinceMicros when it was admitted, by its clock; 0: it has forgotten nothing
     * @param forgotten no fence that it has forgotten is greater
     */
    record Memory(long sinceMicros, FencingToken forgotten) {

        static final Memory ALL = new Memory(0, FencingToken.NONE);
    }

    NodeMarker with(FenceBounds newFences) {
        return new NodeMarker(run, admitted, observation, newFences, config, memory);
    }

    /** Returns the rest of the quarantine. */
    Duration left() {
        return config == null ? Duration.ZERO : config.quarantine().minus(observation.total());
    }

    /** Returns the answer to a probe that has been applied. */
    NodeStanding standing(QuarantineProbe probe, boolean guarded) {
        return admitted || !guarded
                ? new NodeStanding.Admitted(fences.fenceBound())
                : new NodeStanding.Quarantined(
                        observation.total(), observation.observer().equals(probe.next()), observation.name());
    }

    /** Applies a probe in the present run. A marker from another run keeps only its fences. */
    NodeMarker probed(QuarantineProbe probe, int presentRun, long micros) {
        NodeMarker now =
                run == presentRun ? this : new NodeMarker(presentRun, false, Observation.NONE, fences, config, memory);
        if (now.admitted || probe.isReadOnly()) {
            return now;
        }
        Observation counted = now.observation.counted(probe, micros);
        FencingToken floor = probe.floor();
        boolean observedEnough = counted.total().compareTo(probe.needed()) >= 0;
        boolean mayAdmit = now.observation.isKnownTo(probe) || probe.isAdmission();
        if (observedEnough && mayAdmit && floor != null) {
            Memory admittedWith = new Memory(probe.isAdmission() ? 0 : micros, floor);
            return new NodeMarker(
                    presentRun, true, Observation.NONE, fences.raisedTo(floor), probe.config(), admittedWith);
        }
        return new NodeMarker(presentRun, false, counted.observedBy(probe), fences, probe.config(), memory);
    }
}
