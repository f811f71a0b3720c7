package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state that an in-memory node keeps about itself. Each method is a pure step to the next marker.
 *
 * @param run the run id for which the other values hold; 0: none
 * @param admitted whether the node votes in that run
 * @param observer the name of the observer's last probe; empty: there is no observer
 * @param observed the time for which the node has been observed in that run
 * @param fences the bounds of the fences of all resources
 * @param config the configuration that the clients share; null: not known yet
 */
record NodeMarker(
        int run,
        boolean admitted,
        String observer,
        Duration observed,
        FenceBounds fences,
        @Nullable QuorumConfig config) {

    static final NodeMarker NONE = new NodeMarker(0, false, "", Duration.ZERO, FenceBounds.NONE, null);

    NodeMarker with(FenceBounds newFences) {
        return new NodeMarker(run, admitted, observer, observed, newFences, config);
    }

    /** Returns the rest of the time for which the node has to be observed. */
    Duration left() {
        return config == null ? Duration.ZERO : config.quarantine().minus(observed);
    }

    /** Applies a probe in the present run. Of a marker from another run, only the fences are kept. */
    NodeMarker probed(QuarantineProbe probe, int presentRun) {
        NodeMarker now =
                run == presentRun ? this : new NodeMarker(presentRun, false, "", Duration.ZERO, fences, config);
        if (now.admitted) {
            return now;
        }
        boolean ours = now.observer.equals(probe.observer());
        Duration sum = ours ? now.observed.plus(probe.observed()) : now.observed;
        FencingToken floor = probe.floor();
        boolean observedEnough = sum.compareTo(probe.needed()) >= 0;
        boolean mayAdmit = ours || probe.isAdmission();
        if (observedEnough && mayAdmit && floor != null) {
            return new NodeMarker(presentRun, true, "", sum, fences.raisedTo(floor), probe.config());
        }
        String newObserver = ours || probe.takeOver() || now.observer.isEmpty() ? probe.next() : now.observer;
        return new NodeMarker(presentRun, false, newObserver, sum, fences, probe.config());
    }
}
