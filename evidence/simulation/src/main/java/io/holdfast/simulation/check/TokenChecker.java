package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.Violations;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * {@link Property#TOKEN_ORDER} and {@link Property#UNIQUE_TOKENS}. The order is that of <i>began after granted</i>:
 * attempts that overlap may end in either order.
 */
final class TokenChecker implements Observer {

    private final Violations violations;
    private final Map<String, Long> greatest = new HashMap<>();
    private final Map<Owner, Long> grantedBefore = new HashMap<>();
    private final Map<String, Set<Long>> used = new HashMap<>();

    TokenChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void asked(SimulatedClient client, Claim claim) {
        if (claim.action() == Claim.Action.ACQUIRE) {
            grantedBefore.putIfAbsent(claim.owner(), greatest.getOrDefault(claim.resource(), 0L));
        }
    }

    @Override
    public void granted(ObservedLease holding) {
        long token = holding.token();
        Long before = grantedBefore.remove(holding.lease().owner());
        if (before != null && token <= before) {
            violations.report(Property.TOKEN_ORDER, holding + " though " + before + " had been granted before");
        }
        if (!used.computeIfAbsent(holding.resource(), resource -> new HashSet<>())
                .add(token)) {
            violations.report(Property.UNIQUE_TOKENS, holding + ", which another lease had");
        }
        greatest.merge(holding.resource(), token, Math::max);
    }
}
