package io.holdfast.simulation.check;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.Violations;
import java.util.HashSet;
import java.util.Set;

/** {@link Property#LOSS}. */
final class LossChecker implements Observer {

    private final Violations violations;
    private final Set<ObservedLease> reported = new HashSet<>();
    private final Set<ObservedLease> open = new HashSet<>();
    /** Leases that were already over when the thread that waited for them woke. */
    private final Set<ObservedLease> overBefore = new HashSet<>();

    LossChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(ObservedLease holding) {
        open.add(holding);
        if (!holding.isValid()) {
            overBefore.add(holding);
        }
    }

    @Override
    public void resumed(ObservedLease holding) {
        granted(holding);
    }

    @Override
    public void detached(ObservedLease holding) {
        open.remove(holding);
    }

    @Override
    public void lost(ObservedLease holding, Loss loss) {
        open.remove(holding);
        if (!reported.add(holding)) {
            violations.report(Property.LOSS, holding + " and was notified twice of the loss");
        }
        if (holding.lease().state() != LeaseState.LOST) {
            violations.report(Property.LOSS, holding + ", was notified of a loss, and it is live");
        }
        if (holding.isUndisturbed() && !loss.overrun().isZero() && !overBefore.contains(holding)) {
            violations.report(Property.LOSS, holding + " and was notified " + loss.overrun() + " after the end");
        }
    }

    @Override
    public void relied(ObservedLease holding) {
        if (reported.contains(holding)) {
            violations.report(Property.LOSS, holding + " again after it was lost");
        }
    }

    @Override
    public void releasing(ObservedLease holding) {
        open.remove(holding);
    }

    @Override
    public void ended() {
        open.stream()
                .filter(holding -> !holding.client().isDead() && !holding.isValid())
                .forEach(holding -> violations.report(Property.LOSS, holding + " no more, and was never notified"));
    }
}
