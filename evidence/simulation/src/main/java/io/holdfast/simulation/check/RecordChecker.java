package io.holdfast.simulation.check;

import io.holdfast.lease.FencingToken;
import io.holdfast.record.LockRecord;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.World;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@link Property#RECORD}: compares each record that a holder reads with the newest one that was confirmed before.
 */
final class RecordChecker implements Observer {

    private final World world;
    private final Map<String, Confirmed> newest = new HashMap<>();
    private final Map<ObservedLease, Confirmed> expected = new HashMap<>();

    /**
     * A record that a majority has confirmed while its writer held the lock.
     *
     * @param fence the token of the writer
     * @param at the time of the confirmation, by the clock of the world
     */
    private record Confirmed(FencingToken fence, Instant at) {

        boolean isMissingIn(LockRecord read) {
            return fence.isAbove(read.fence()) && read.isCompleteSince(at);
        }
    }

    RecordChecker(World world) {
        this.world = world;
    }

    @Override
    public void recordWritten(ObservedLease holding) {
        if (holding.isValid() && !holding.isShared()) {
            Instant now = Instant.EPOCH.plus(world.time().now().wallMicros(), ChronoUnit.MICROS);
            newest.put(holding.resource(), new Confirmed(holding.lease().fencingToken(), now));
        }
    }

    @Override
    public void readingRecord(ObservedLease holding) {
        Confirmed confirmed = newest.get(holding.resource());
        if (confirmed == null) {
            expected.remove(holding);
        } else {
            expected.put(holding, confirmed);
        }
    }

    @Override
    public void recordRead(ObservedLease holding, LockRecord read) {
        @Nullable Confirmed confirmed = expected.remove(holding);
        if (confirmed != null && holding.isValid() && confirmed.isMissingIn(read)) {
            world.violations()
                    .report(
                            Property.RECORD,
                            holding + " reads " + read + ", but " + confirmed.fence() + " was confirmed at "
                                    + confirmed.at());
        }
    }
}
