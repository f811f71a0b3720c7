package io.holdfast.simulation.check;

import io.holdfast.LockOptions;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.simulation.world.CarriedOutClaims;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** {@link Property#HELD_WHILE_HEALTHY}: as long as nothing goes wrong, renewal keeps each lease that it has to keep. */
public final class HealthyChecker implements Observer {

    private final World world;
    private final Map<ObservedLease, Integer> safe = new HashMap<>();
    private final Set<Owner> shared = new HashSet<>();
    private final CarriedOutClaims carriedOut;

    public HealthyChecker(World world, CarriedOutClaims carriedOut) {
        this.world = world;
        this.carriedOut = carriedOut;
    }

    @Override
    public void granted(ObservedLease holding) {
        Duration lease = holding.options().lease();
        Duration full =
                carriedOut.include(holding) && lease.compareTo(Claim.STANDING_TTL) > 0 ? Claim.STANDING_TTL : lease;
        boolean limited = holding.options().holdLimit().compareTo(LockOptions.FOREVER) < 0;
        boolean inTime = holding.options().nodeTimeout().toMillis() >= 20;
        // A thread that wakes late has little time left for the first extension.
        boolean early = holding.lease().remaining().multipliedBy(2).compareTo(full) > 0;
        if (world.disruptions() >= 0
                && early
                && inTime
                && holding.options().renewal()
                && !limited
                && holding.isValid()) {
            safe.put(holding, world.disruptions());
        }
    }

    /** Records that another user has the lease and may release it. */
    @Override
    public void resumed(ObservedLease holding) {
        shared.add(holding.lease().owner());
    }

    @Override
    public void lost(ObservedLease holding, Loss loss) {
        Integer disruptions = safe.remove(holding);
        boolean healthy = disruptions != null && disruptions == world.disruptions();
        boolean soleUser = !shared.contains(holding.lease().owner());
        if (healthy && soleUser && loss.reason() != LossReason.CLOSED) {
            world.violations().report(Property.HELD_WHILE_HEALTHY, holding + " no more: " + loss);
        }
    }
}
