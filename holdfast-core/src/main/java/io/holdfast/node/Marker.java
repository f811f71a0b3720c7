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
 * @param floor no claim with a fence up to this is accepted
 * @param gmax the greatest fence that was accepted
 * @param fleet what the clients agree on; null: not said yet
 */
record Marker(
        int run,
        boolean admitted,
        String watcher,
        Duration watched,
        FencingToken floor,
        FencingToken gmax,
        @Nullable Fleet fleet) {

    static final Marker NONE = new Marker(0, false, "", Duration.ZERO, FencingToken.NONE, FencingToken.NONE, null);

    FencingToken highest() {
        return floor.orAbove(gmax);
    }

    Marker accepted(FencingToken fence) {
        return new Marker(run, admitted, watcher, watched, floor, gmax.orAbove(fence), fleet);
    }

    /** A look at the node in this run; what the marker says about another run counts for nothing but its fences. */
    Marker watched(Watch watch, int presentRun) {
        Marker now = run == presentRun ? this : new Marker(presentRun, false, "", Duration.ZERO, floor, gmax, fleet);
        if (now.admitted) {
            return now;
        }
        boolean ours = now.watcher.equals(watch.watcher());
        Duration sum = ours ? now.watched.plus(watch.watched()) : now.watched;
        String newWatcher = watch.takeOver() || now.watcher.isEmpty() ? watch.watcher() : now.watcher;
        boolean enough = sum.compareTo(watch.needed()) >= 0 && watch.floor() != null;
        FencingToken newFloor = watch.floor() != null && enough ? floor.orAbove(watch.floor()) : floor;
        return new Marker(presentRun, enough, newWatcher, sum, newFloor, gmax, watch.fleet());
    }
}
