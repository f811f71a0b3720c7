package io.holdfast.simulation.check;

import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violations;
import java.time.Duration;

/** {@link Property#QUARANTINE}. */
record QuarantineChecker(Violations violations, Duration maxLease) implements Observer {

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        boolean votes = claim.action() == Claim.Action.ACQUIRE || claim.action() == Claim.Action.REPAIR;
        boolean restarted = node.process() > 1 || node.lives() > 1;
        if (votes && restarted && reply instanceof Reply.Granted && node.age().compareTo(maxLease) < 0) {
            violations.report(
                    Property.QUARANTINE,
                    node.name() + " grants " + claim.resource() + " "
                            + node.age().toMillis() + " ms after its restart");
        }
    }
}
