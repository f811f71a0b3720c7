package io.holdfast.benchmarks.handover;

import io.holdfast.benchmarks.figures.Figures;
import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.benchmarks.handover.Worker.Hold;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The figures of a team over all its turns.
 *
 * @param holdsPerSecond the median of the rounds
 * @param handOvers the times from the end of a hold to the next one in another process, in ms
 * @param waits the times from the request to the lease, in ms
 * @param jain Jain's index over the processes
 */
record HandOverFigures(double holdsPerSecond, Spread handOvers, Spread waits, double jain) {

    private static final double NANOS_PER_MILLI = 1_000_000;
    private static final double NANOS_PER_SECOND = 1_000_000_000;

    /** Computes the figures of one team. */
    static HandOverFigures of(List<Hold> holds, Schedule schedule, int team, int processes) {
        long[] shares = new long[processes];
        List<Double> handOvers = new ArrayList<>();
        double[] speeds = new double[schedule.rounds()];
        for (int round = 1; round <= schedule.rounds(); round++) {
            List<Hold> inTurn = inTurn(holds, round, schedule.end(round, team));
            inTurn.forEach(hold -> shares[hold.worker()]++);
            for (int i = 1; i < inTurn.size(); i++) {
                if (inTurn.get(i - 1).worker() != inTurn.get(i).worker()) {
                    handOvers.add((inTurn.get(i).from() - inTurn.get(i - 1).to()) / NANOS_PER_MILLI);
                }
            }
            speeds[round - 1] = inTurn.size() / (schedule.turn().toNanos() / NANOS_PER_SECOND);
        }
        return new HandOverFigures(
                Figures.median(speeds),
                Spread.of(handOvers.stream().mapToDouble(millis -> millis)),
                // Also of waiters that had to wait until the turn was over, or the longest waits would be missing.
                Spread.of(holds.stream().mapToDouble(hold -> (hold.from() - hold.asked()) / NANOS_PER_MILLI)),
                Figures.jain(shares));
    }

    private static List<Hold> inTurn(List<Hold> holds, int round, long end) {
        return holds.stream()
                .filter(hold -> hold.round() == round && hold.to() < end)
                .sorted(Comparator.comparingLong(Hold::from))
                .toList();
    }
}
