package io.holdfast.simulation;

import java.time.Duration;
import java.util.List;

/** One checker for each promise but that of liveness, which has to know when to begin. */
final class Checkers {

    private Checkers() {}

    static List<Observer> of(World world) {
        Violations violations = world.violations();
        Duration maxLease = world.options().maxLease();
        Shares shares = new Shares();
        return List.of(
                new ExclusionChecker(violations),
                new TokenChecker(violations),
                new NodeFenceChecker(violations),
                new QuarantineChecker(violations, maxLease),
                // Before those that ask it.
                shares,
                new LockKeyChecker(violations, maxLease, shares),
                new ValidityChecker(violations, world.nodes().size()),
                new LossChecker(violations),
                new LeftOverChecker(violations, world.nodes(), shares),
                new HandingOnChecker(world),
                new PermitsChecker(violations));
    }
}
