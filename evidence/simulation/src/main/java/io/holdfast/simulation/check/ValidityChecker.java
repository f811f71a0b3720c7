package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * {@link Property#VALIDITY} and {@link Property#HOLD_LIMIT}, recomputed from the claims sent and the nodes' actions,
 * and not from the client's own state.
 */
final class ValidityChecker implements Observer {

    private static final Duration RESOLUTION = Duration.ofMillis(2);
    private static final Duration LONG_AGO = Duration.ofDays(-1);

    private final Violations violations;
    private final Map<Owner, List<Sent>> rounds = new HashMap<>();
    private final Set<Lasting> released = new HashSet<>();
    private final Map<Lasting, Moment> begun = new HashMap<>();

    /** A lease of a client, which another user of that client may have as well. */
    private record Lasting(SimulatedClient client, Owner owner, long token) {

        static Lasting of(ObservedLease holding) {
            return new Lasting(holding.client(), holding.lease().owner(), holding.token());
        }
    }

    /** One round: the same claim object for all nodes. */
    private static final class Sent {

        private final SimulatedClient client;
        private final Claim claim;
        private final Moment before;
        private final Set<SimulatedNode> granted = new HashSet<>();
        /** The nodes that have granted the claim, or have carried it out, and then keep it for a shorter time. */
        private final Set<SimulatedNode> stored = new HashSet<>();

        Sent(SimulatedClient client, Claim claim, Moment before) {
            this.client = client;
            this.claim = claim;
            this.before = before;
        }
    }

    ValidityChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void asked(SimulatedClient client, Claim claim) {
        List<Sent> of = rounds.computeIfAbsent(claim.owner(), owner -> new ArrayList<>());
        if (claim.isRelease()) {
            of.removeIf(sent -> sent.client.equals(client));
            rounds.computeIfPresent(claim.owner(), (owner, left) -> left.isEmpty() ? null : left);
        } else if (of.isEmpty() || !isOf(of.get(of.size() - 1), claim)) {
            of.add(new Sent(client, claim, client.time().now()));
        }
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        if (reply instanceof Reply.Granted) {
            rounds.getOrDefault(claim.owner(), List.of()).stream()
                    .filter(sent -> isOf(sent, claim))
                    .forEach(sent -> {
                        sent.granted.add(node);
                        sent.stored.add(node);
                    });
        }
    }

    @Override
    public void carriedOut(SimulatedNode node, Claim claim) {
        rounds.getOrDefault(claim.owner(), List.of()).stream()
                .filter(sent -> sent.claim.action() == Claim.Action.ACQUIRE)
                .forEach(sent -> sent.stored.add(node));
    }

    /** Two extensions of one lease are equal, and two rounds all the same. A ticket differs between sets of nodes. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isOf(Sent sent, Claim claim) {
        boolean isSameAttempt =
                claim.ticket() != null && claim.withTicket(sent.claim.ticket()).equals(sent.claim);
        return sent.claim == claim || isSameAttempt;
    }

    @Override
    public void granted(ObservedLease holding) {
        begun.putIfAbsent(Lasting.of(holding), holding.client().time().now());
        if (holding.isValid()) {
            relied(holding);
        }
    }

    @Override
    public void resumed(ObservedLease holding) {
        granted(holding);
    }

    @Override
    public void releasing(ObservedLease holding) {
        released.add(Lasting.of(holding));
    }

    @Override
    public void relied(ObservedLease holding) {
        if (released.contains(Lasting.of(holding))) {
            // Another user of this client has the lease as well, and has released it.
            return;
        }
        Moment now = holding.client().time().now();
        List<Sent> of = rounds.getOrDefault(holding.lease().owner(), List.of()).stream()
                .filter(sent -> sent.client.equals(holding.client()))
                .toList();
        Duration remaining = holding.lease().remaining();
        double drift = holding.options().driftShare();
        if (of.stream().noneMatch(sent -> left(sent, now, drift).compareTo(remaining) >= 0)) {
            violations.report(
                    Property.VALIDITY, holding + " for " + remaining + " more, which no majority has confirmed");
        }
        Duration limit = holding.options().holdLimit();
        if (now.since(begun(holding, of)).compareTo(limit) > 0) {
            violations.report(Property.HOLD_LIMIT, holding + " for longer than " + limit);
        }
    }

    /** Returns when a holder's limit begins: with its request, or as soon as it has what another one handed over. */
    private Moment begun(ObservedLease holding, List<Sent> rounds) {
        if (holding.resumed() || rounds.isEmpty()) {
            return holding.begun();
        }
        boolean isHandedOver = rounds.get(0).claim.fence().value() != holding.token();
        Moment granted = Objects.requireNonNull(begun.get(Lasting.of(holding)));
        return isHandedOver ? granted : rounds.get(0).before;
    }

    /** Returns the rest of the time that a round has confirmed; negative if it has confirmed nothing. */
    private Duration left(Sent sent, Moment now, double drift) {
        if (!sent.client.isMajority(sent.stored)) {
            return LONG_AGO;
        }
        Claim stored = sent.client.isMajority(sent.granted) ? sent.claim : sent.claim.standing();
        long driftNanos = (long) (stored.ttl().toNanos() * drift);
        return stored.ttl().minusNanos(driftNanos).minus(RESOLUTION).minus(now.since(sent.before));
    }
}
