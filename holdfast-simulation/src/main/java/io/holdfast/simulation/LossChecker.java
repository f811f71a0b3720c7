package io.holdfast.simulation;

import io.holdfast.event.LeaseState;
import io.holdfast.event.Loss;
import java.util.HashSet;
import java.util.Set;

/** {@link Property#LOSS}. */
final class LossChecker implements Observer {

    private final Violations violations;
    private final Set<Holding> told = new HashSet<>();
    private final Set<Holding> open = new HashSet<>();
    /** The thread that waited for the lease woke so late that the lease was over. */
    private final Set<Holding> overBefore = new HashSet<>();

    LossChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(Holding holding) {
        open.add(holding);
        if (!holding.isLive()) {
            overBefore.add(holding);
        }
    }

    @Override
    public void resumed(Holding holding) {
        granted(holding);
    }

    @Override
    public void detached(Holding holding) {
        open.remove(holding);
    }

    @Override
    public void lost(Holding holding, Loss loss) {
        open.remove(holding);
        if (!told.add(holding)) {
            violations.report(Property.LOSS, holding + " and was told twice that it is lost");
        }
        if (holding.lease().state() != LeaseState.LOST) {
            violations.report(Property.LOSS, holding + ", was told that it is lost, and it is not");
        }
        if (holding.isUndisturbed() && !loss.overrun().isZero() && !overBefore.contains(holding)) {
            violations.report(Property.LOSS, holding + " and was told " + loss.overrun() + " after the end");
        }
    }

    @Override
    public void relied(Holding holding) {
        if (told.contains(holding)) {
            violations.report(Property.LOSS, holding + " again after it was lost");
        }
    }

    @Override
    public void releasing(Holding holding) {
        open.remove(holding);
    }

    @Override
    public void ended() {
        open.stream()
                .filter(holding -> !holding.client().isDead() && !holding.isLive())
                .forEach(holding -> violations.report(Property.LOSS, holding + " no more, and was never told"));
    }
}
