package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violations;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link Property#OWN_LOCK_ONLY}, {@link Property#SEAL} and {@link Property#KEY_LIFE}: the locks on the nodes. */
final class LockKeyChecker implements Observer {

    private static final long TOLERANCE_MICROS = 1_000;

    private final Violations violations;
    private final Duration maxLease;
    private final SharedHolds shares;
    private final JointOwners joint;
    /** The exclusive keys, by node and resource, in one life of the node. */
    private final Map<String, Key> keys = new HashMap<>();

    /** By the name of the node. */
    private final Map<String, Released> released = new HashMap<>();

    /** The owners of the attempts that a node has released in one of its lives. */
    private record Released(int life, Set<Owner> owners) {}

    /** The holder of a lock and the latest end of its key, by the node's clock. */
    private record Key(Owner owner, long untilMicros) {}

    LockKeyChecker(Violations violations, Duration maxLease, SharedHolds shares, JointOwners joint) {
        this.violations = violations;
        this.maxLease = maxLease;
        this.shares = shares;
        this.joint = joint;
    }

    @Override
    public void deleted(SimulatedNode node, String resource) {
        keys.remove(node.inThisLife(resource));
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        String place = node.inThisLife(claim.resource());
        long now = node.time().now().wallMicros();
        Owner owner = node.memory().ownerOf(claim.resource());
        boolean granted = reply instanceof Reply.Granted;
        boolean takes = claim.action() == Claim.Action.ACQUIRE || claim.action() == Claim.Action.REPAIR;

        checkLife(place, claim, owner, now);
        checkOthers(place, claim, owner, now);
        if (takes && granted && released(node).contains(claim.owner()) && !joint.contains(claim.owner())) {
            violations.report(Property.SEAL, place + " was taken again after its release");
        }
        if (claim.isRelease() && node.memory().rejectsUpTo(claim.resource()).compareTo(claim.greatestFence()) >= 0) {
            // Otherwise the claim is too far in the future to be accepted.
            released(node).add(claim.owner());
        }
        keep(place, claim, granted, now);
        checkShares(node, claim, owner, keys.containsKey(place));
        checkRetained(node, place, claim.resource(), now);
    }

    /** Checks that a retained lock ends exactly when its release said, whatever arrives in the meantime. */
    private void checkRetained(SimulatedNode node, String place, String resource, long now) {
        Key key = keys.get(place);
        if (key == null
                || !key.owner().isRetained()
                || !key.owner().equals(node.memory().ownerOf(resource))) {
            return;
        }
        long left = micros(node.memory().timeLeft(resource));
        if (Math.abs(now + left - key.untilMicros()) > TOLERANCE_MICROS) {
            violations.report(Property.KEY_LIFE, place + " is retained for another time than its release said");
        }
    }

    private Set<Owner> released(SimulatedNode node) {
        Released present = released.get(node.name());
        if (present == null || present.life() != node.lives()) {
            present = new Released(node.lives(), new HashSet<>());
            released.put(node.name(), present);
        }
        return present.owners();
    }

    /** Updates the record of the exclusive holder. */
    private void keep(String place, Claim claim, boolean granted, long now) {
        if (claim.isRelease()) {
            keys.computeIfPresent(place, (same, key) -> key.owner().equals(claim.owner()) ? null : key);
            if (claim.action() == Claim.Action.RETAIN && granted && !claim.isShared()) {
                keys.put(place, new Key(claim.owner().retained(), now + micros(claim.ttl())));
            }
        } else if (granted && claim.isShared()) {
            keys.remove(place);
        } else if (granted) {
            boolean again = claim.action() == Claim.Action.ACQUIRE;
            Key fresh = new Key(claim.owner(), now + micros(claim.ttl()));
            keys.merge(place, fresh, (old, same) -> isStill(old, claim, now) && again ? old : orLonger(old, fresh));
        }
    }

    /** Checks that the lock is held exactly as long as one share lasts, even if another share is released. */
    private void checkShares(SimulatedNode node, Claim claim, @Nullable Owner owner, boolean exclusive) {
        if (owner == null && shares.isHeld(node, claim.resource(), TOLERANCE_MICROS)) {
            violations.report(
                    Property.OWN_LOCK_ONLY, claim.action() + " by another ended the shares of " + place(node, claim));
        }
        if (owner != null && !exclusive && !shares.isHeld(node, claim.resource(), -TOLERANCE_MICROS)) {
            violations.report(Property.KEY_LIFE, place(node, claim) + " is held shared, and all shares are over");
        }
    }

    private static String place(SimulatedNode node, Claim claim) {
        return node.name() + "/" + claim.resource();
    }

    private void checkLife(String place, Claim claim, @Nullable Owner owner, long now) {
        if (claim.ttl().compareTo(maxLease) > 0) {
            violations.report(Property.KEY_LIFE, place + " is asked for " + claim.ttl());
        }
        Key key = keys.get(place);
        boolean again = !claim.isRelease() && claim.owner().equals(owner);
        if (key != null && key.owner().equals(owner) && !again && now > key.untilMicros() + TOLERANCE_MICROS) {
            violations.report(Property.KEY_LIFE, place + " has outlived its time to live");
        }
    }

    /**
     * Checks that the owner keeps its key until expiry or its own release; a repair of another owner must not change
     * it.
     */
    private void checkOthers(String place, Claim claim, @Nullable Owner owner, long now) {
        Key key = keys.get(place);
        if (key == null || key.owner().equals(claim.owner()) || key.untilMicros() <= now) {
            return;
        }
        boolean mayNotTake = claim.action() != Claim.Action.ACQUIRE;
        if (mayNotTake && !key.owner().equals(owner)) {
            violations.report(Property.OWN_LOCK_ONLY, claim.action() + " by another changed " + place);
        }
    }

    private static boolean isStill(Key key, Claim claim, long now) {
        return key.owner().equals(claim.owner()) && key.untilMicros() > now;
    }

    private static Key orLonger(Key old, Key fresh) {
        boolean longer = !old.owner().equals(fresh.owner()) || fresh.untilMicros() > old.untilMicros();
        return longer ? fresh : old;
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
