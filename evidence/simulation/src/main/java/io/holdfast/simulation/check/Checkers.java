package io.holdfast.simulation.check;

import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Violations;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.List;

/** Creates one checker for each promise except liveness, whose checker has to know when to begin. */
public final class Checkers {

    private Checkers() {}

    public static List<Observer> of(World world) {
        Violations violations = world.violations();
        Duration maxLease = world.options().maxLease();
        SharedHolds shares = new SharedHolds();
        JointOwners joint = new JointOwners();
        return List.of(
                new ExclusionChecker(violations),
                new TokenChecker(violations),
                new NodeFenceChecker(violations),
                new QuarantineChecker(violations, maxLease),
                // Registered before the checkers that query it.
                shares,
                joint,
                new LockKeyChecker(violations, maxLease, shares, joint),
                new ValidityChecker(violations),
                new LossChecker(violations),
                new LeftOverChecker(violations, world.nodes(), shares, joint),
                new HandOverChecker(world),
                new RetentionChecker(world),
                new RecordChecker(world),
                new PermitsChecker(violations));
    }
}
