package io.holdfast.simulation.check;

import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@link Property#RETENTION}, counted from the moment at which the holder asked, by the clock of the world. */
final class RetentionChecker implements Observer {

    /** More than the rates of clocks differ. */
    private static final double DRIFT = 0.01;

    private static final Duration RESOLUTION = Duration.ofMillis(3);

    private final World world;
    private final Map<ObservedLease, Retention> asked = new HashMap<>();
    private final Map<String, List<Retention>> confirmed = new HashMap<>();
    /** The grants since the oldest retention that may still be confirmed. */
    private final Map<String, List<Grant>> grants = new HashMap<>();

    /** A lock that the nodes keep after its release; a shared one excludes only exclusive holders. */
    private record Retention(ObservedLease of, boolean shared, long sinceNanos, long untilNanos) {

        boolean excludes(Grant grant) {
            boolean during = grant.nanos() >= sinceNanos && grant.nanos() < untilNanos;
            boolean own = grant.holding().isTwinOf(of);
            // Leases of one attempt may be handed over and retained within one instant.
            boolean earlier = grant.holding().token() < of.token();
            return during && !own && !earlier && !(shared && grant.shared());
        }
    }

    private record Grant(ObservedLease holding, boolean shared, long nanos) {}

    RetentionChecker(World world) {
        this.world = world;
    }

    @Override
    public void retaining(ObservedLease holding, Duration keep) {
        long now = now();
        long least = (long) (keep.toNanos() * (1 - DRIFT)) - RESOLUTION.toNanos();
        asked.values()
                .removeIf(old ->
                        old.untilNanos() < now - world.options().maxLease().toNanos());
        asked.put(holding, new Retention(holding, holding.isShared(), now, now + least));
    }

    @Override
    public void retained(ObservedLease holding) {
        Retention retention = asked.remove(holding);
        if (retention != null) {
            confirmed
                    .computeIfAbsent(holding.resource(), resource -> new ArrayList<>())
                    .add(retention);
            grants.getOrDefault(holding.resource(), List.of()).forEach(grant -> check(retention, grant));
        }
    }

    @Override
    public void granted(ObservedLease holding) {
        if (!holding.isValid()) {
            return;
        }
        long now = now();
        Grant grant = new Grant(holding, holding.isShared(), now);
        List<Retention> retentions = confirmed.getOrDefault(holding.resource(), new ArrayList<>());
        retentions.removeIf(retention -> retention.untilNanos() <= now);
        retentions.forEach(retention -> check(retention, grant));
        List<Grant> recent = grants.computeIfAbsent(holding.resource(), resource -> new ArrayList<>());
        recent.removeIf(old -> old.nanos() < now - world.options().maxLease().toNanos());
        recent.add(grant);
    }

    private void check(Retention retention, Grant grant) {
        if (retention.excludes(grant)) {
            world.violations()
                    .report(Property.RETENTION, grant.holding() + ", which the nodes keep after " + retention.of());
        }
    }

    private long now() {
        return world.time().now().nanos();
    }
}
