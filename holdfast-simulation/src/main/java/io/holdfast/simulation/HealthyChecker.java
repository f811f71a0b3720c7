package io.holdfast.simulation;

import io.holdfast.LockOptions;
import io.holdfast.event.Loss;
import io.holdfast.event.LossReason;
import io.holdfast.node.Owner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** {@link Property#HELD_WHILE_HEALTHY}: as long as nothing goes wrong, renewal keeps what it was asked to keep. */
final class HealthyChecker implements Observer {

    private final World world;
    private final Map<Holding, Integer> safe = new HashMap<>();
    private final Set<Owner> shared = new HashSet<>();

    HealthyChecker(World world) {
        this.world = world;
    }

    @Override
    public void granted(Holding holding) {
        boolean limited = holding.options().holdLimit().compareTo(LockOptions.FOREVER) < 0;
        boolean inTime = holding.options().nodeTimeout().toMillis() >= 20;
        // A thread that wakes late has little time left for the first extension.
        boolean early = holding.lease()
                        .remaining()
                        .multipliedBy(2)
                        .compareTo(holding.options().lease())
                > 0;
        if (world.disruptions() >= 0
                && early
                && inTime
                && holding.options().renewal()
                && !limited
                && holding.isLive()) {
            safe.put(holding, world.disruptions());
        }
    }

    /** Others who have the lease may release it. */
    @Override
    public void resumed(Holding holding) {
        shared.add(holding.lease().owner());
    }

    @Override
    public void lost(Holding holding, Loss loss) {
        Integer disruptions = safe.remove(holding);
        boolean healthy = disruptions != null && disruptions == world.disruptions();
        boolean alone = !shared.contains(holding.lease().owner());
        if (healthy && alone && loss.reason() != LossReason.CLOSED) {
            world.violations().report(Property.HELD_WHILE_HEALTHY, holding + " no more: " + loss);
        }
    }
}
