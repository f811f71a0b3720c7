package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an in-memory node keeps about itself. Each method is a pure step to the next marker.
 *
 * @param run the run of the node that the rest is about; 0: none
 * @param admitted whether the node votes in that run
 * @param observer who watches it
 * @param observed for how long it has been observed
 * @param fences what is known about the fences of all resources
 * @param config what the clients agree on; null: not said yet
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

    /** How long it has to be observed more. */
    Duration left() {
        return config == null ? Duration.ZERO : config.quarantine().minus(observed);
    }

    /** A look at the node in this run; what the marker says about another run counts for nothing but its fences. */
    NodeMarker observed(QuarantineProbe probe, int presentRun) {
        NodeMarker now =
                run == presentRun ? this : new NodeMarker(presentRun, false, "", Duration.ZERO, fences, config);
        if (now.admitted) {
            return now;
        }
        boolean ours = now.observer.equals(probe.observer());
        Duration sum = ours ? now.observed.plus(probe.observed()) : now.observed;
        FencingToken floor = probe.floor();
        boolean watchedEnough = sum.compareTo(probe.needed()) >= 0;
        boolean mayAdmit = ours || probe.isAdmission();
        if (watchedEnough && mayAdmit && floor != null) {
            return new NodeMarker(presentRun, true, "", sum, fences.raisedTo(floor), probe.config());
        }
        String newWatcher = ours || probe.takeOver() || now.observer.isEmpty() ? probe.next() : now.observer;
        return new NodeMarker(presentRun, false, newWatcher, sum, fences, probe.config());
    }
}
