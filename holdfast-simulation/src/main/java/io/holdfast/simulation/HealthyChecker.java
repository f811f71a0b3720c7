package io.holdfast.simulation;

import io.holdfast.LockOptions;
import io.holdfast.event.Loss;
import io.holdfast.event.LossReason;
import io.holdfast.node.Owner;
import java.util.HashSet;
import java.util.Set;

/** {@link Property#HELD_WHILE_HEALTHY}: as long as nothing goes wrong, renewal keeps what it was asked to keep. */
final class HealthyChecker implements Observer {

    private final Violations violations;
    private final Set<Holding> safe = new HashSet<>();
    private final Set<Owner> shared = new HashSet<>();
    private boolean healthy = true;

    HealthyChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(Holding holding) {
        boolean limited = holding.options().holdLimit().compareTo(LockOptions.FOREVER) < 0;
        boolean inTime = holding.options().nodeTimeout().toMillis() >= 20;
        if (healthy && inTime && holding.options().renewal() && !limited && holding.isLive()) {
            safe.add(holding);
        }
    }

    /** Others who have the lease may release it. */
    @Override
    public void resumed(Holding holding) {
        shared.add(holding.lease().owner());
    }

    @Override
    public void struck(Fault fault) {
        healthy = false;
        safe.clear();
    }

    @Override
    public void calm() {
        healthy = true;
    }

    @Override
    public void lost(Holding holding, Loss loss) {
        boolean kept = safe.remove(holding) && !shared.contains(holding.lease().owner());
        if (kept && loss.reason() != LossReason.CLOSED) {
            violations.report(Property.HELD_WHILE_HEALTHY, holding + " no more: " + loss);
        }
    }
}
