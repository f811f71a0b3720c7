package io.holdfast.node;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an in-memory node keeps about itself. Each method is a pure step to the next marker.
 *
 * @param run the run of the node that the rest is about; 0: none
 * @param admitted whether the node votes in that run
 * @param watcher who watches it
 * @param watched for how long it has been watched
 * @param fences what is known about the fences of all resources
 * @param fleet what the clients agree on; null: not said yet
 */
record Marker(
        int run,
        boolean admitted,
        String watcher,
        Duration watched,
        FenceBounds fences,
        @Nullable Fleet fleet) {

    static final Marker NONE = new Marker(0, false, "", Duration.ZERO, FenceBounds.NONE, null);

    Marker with(FenceBounds newFences) {
        return new Marker(run, admitted, watcher, watched, newFences, fleet);
    }

    /** How long it has to be watched more. */
    Duration left() {
        return fleet == null ? Duration.ZERO : fleet.quarantine().minus(watched);
    }

    /** A look at the node in this run; what the marker says about another run counts for nothing but its fences. */
    Marker watched(Watch watch, int presentRun) {
        Marker now = run == presentRun ? this : new Marker(presentRun, false, "", Duration.ZERO, fences, fleet);
        if (now.admitted) {
            return now;
        }
        boolean ours = now.watcher.equals(watch.watcher());
        Duration sum = ours ? now.watched.plus(watch.watched()) : now.watched;
        FencingToken floor = watch.floor();
        boolean watchedEnough = sum.compareTo(watch.needed()) >= 0;
        boolean mayAdmit = ours || watch.isWordOfOperator();
        if (watchedEnough && mayAdmit && floor != null) {
            return new Marker(presentRun, true, "", sum, fences.raisedTo(floor), watch.fleet());
        }
        String newWatcher = ours || watch.takeOver() || now.watcher.isEmpty() ? watch.next() : now.watcher;
        return new Marker(presentRun, false, newWatcher, sum, fences, watch.fleet());
    }
}
