package io.holdfast.simulation;

import io.holdfast.LockOptions;
import io.holdfast.node.Claim;
import io.holdfast.node.Owner;
import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@link Property#VALIDITY} and {@link Property#HOLD_LIMIT}, worked out anew from what was sent and what the nodes did, and not
 * from what the client remembers of it.
 */
final class ValidityChecker implements Observer {

    private static final Duration RESOLUTION = Duration.ofMillis(2);
    private static final Duration LONG_AGO = Duration.ofDays(-1);

    private final Violations violations;
    private final int nodes;
    private final LockOptions options;
    private final Map<Owner, List<Sent>> rounds = new HashMap<>();

    /** One round: the same claim object to all nodes. */
    private static final class Sent {

        private final Claim claim;
        private final Moment before;
        private int granted;

        Sent(Claim claim, Moment before) {
            this.claim = claim;
            this.before = before;
        }
    }

    ValidityChecker(Violations violations, int nodes, LockOptions options) {
        this.violations = violations;
        this.nodes = nodes;
        this.options = options;
    }

    @Override
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        if (claim.isGivingUp()) {
            rounds.remove(claim.owner());
            return;
        }
        List<Sent> of = rounds.computeIfAbsent(claim.owner(), owner -> new ArrayList<>());
        if (of.isEmpty() || !isOf(of.get(of.size() - 1), claim)) {
            of.add(new Sent(claim, client.time().now()));
        }
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        if (reply instanceof Reply.Granted) {
            rounds.getOrDefault(claim.owner(), List.of()).stream()
                    .filter(sent -> isOf(sent, claim))
                    .forEach(sent -> sent.granted++);
        }
    }

    @SuppressWarnings("ReferenceEquality") // Two extensions of one lease are equal, and two rounds all the same.
    private static boolean isOf(Sent sent, Claim claim) {
        return sent.claim == claim;
    }

    @Override
    public void granted(Holding holding) {
        if (holding.isLive()) {
            relied(holding);
        }
    }

    @Override
    public void relied(Holding holding) {
        Moment now = holding.client().time().now();
        List<Sent> of = rounds.getOrDefault(holding.lease().owner(), List.of());
        Duration remaining = holding.lease().remaining();
        if (of.stream().noneMatch(sent -> left(sent, now).compareTo(remaining) >= 0)) {
            violations.report(
                    Property.VALIDITY, holding + " for " + remaining + " more, which no majority has confirmed");
        }
        if (!of.isEmpty() && now.since(of.get(0).before).compareTo(options.holdLimit()) > 0) {
            violations.report(Property.HOLD_LIMIT, holding + " for longer than " + options.holdLimit());
        }
    }

    /** What is left of the time that a round has confirmed; negative if it has confirmed nothing. */
    private Duration left(Sent sent, Moment now) {
        Duration ttl = sent.claim.ttl();
        long driftNanos = (long) (ttl.toNanos() * options.driftShare());
        Duration validity = ttl.minusNanos(driftNanos).minus(RESOLUTION);
        return sent.granted > nodes / 2 ? validity.minus(now.since(sent.before)) : LONG_AGO;
    }
}
