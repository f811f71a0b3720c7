package io.holdfast.simulation.load;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.simulation.plan.Plan;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One user of locks in a client: acquires a lock, holds it for a while, writes with its token, releases it, and starts
 * again. Sometimes it cancels while it waits, extends manually, or writes without checking whether the lease is lost. A
 * shared holder writes nothing; in plans with shared locks, an exclusive holder sometimes downgrades. Sometimes a
 * holder lets the nodes keep the lock for a time after its release.
 */
public final class LockWorker {

    private static final int RELEASES_PER_RETENTION = 16;

    private final SimulatedClient client;
    private final Plan plan;
    private final List<String> resources;
    private final FencedResource guarded;
    private final World world;
    private final RandomGenerator random;
    private boolean stopping;
    private long granted;

    public LockWorker(SimulatedClient client, Plan plan, FencedResource guarded, World world, RandomGenerator random) {
        this.client = client;
        this.plan = plan;
        this.resources = plan.names();
        this.guarded = guarded;
        this.world = world;
        this.random = random;
    }

    public void begin() {
        stopping = false;
        after(upTo(50), this::acquire);
    }

    /** Stops asking for locks after the current lease is released. */
    public void stop() {
        stopping = true;
    }

    /** Returns whether this is a user of that client. */
    public boolean isOf(SimulatedClient other) {
        return client.equals(other);
    }

    /** Returns the number of leases granted to this worker. */
    public long granted() {
        return granted;
    }

    private void acquire() {
        if (stopping) {
            return;
        }
        Moment begun = client.time().now();
        int disturbances = client.time().disturbances();
        DistributedLock lock = client.holdfast().lock(resources.get(random.nextInt(resources.size())), plan.lease());
        CompletableFuture<Lease> asked = (shares() ? lock.shared() : lock).acquireAsync();
        asked.whenComplete((lease, failure) -> got(lease, begun, disturbances));
        if (random.nextInt(20) == 0) {
            after(upTo(20), () -> asked.cancel(true));
        }
    }

    private void got(@Nullable Lease lease, Moment begun, int disturbances) {
        if (lease == null) {
            after(upTo(leaseMillis() / 4), this::acquire);
            return;
        }
        granted++;
        ObservedLease holding = ObservedLease.granted(client, lease, begun, disturbances, plan.lease());
        world.report(to -> to.granted(holding));
        lease.onLost(loss -> world.report(to -> to.lost(holding, loss)));
        stay(holding, random.nextInt(50) == 0 ? 4 : random.nextInt(10) == 0 ? 1 : 0);
    }

    /** Checks the lease this many times, then releases it. */
    private void stay(ObservedLease holding, int checks) {
        boolean careless = random.nextInt(4) == 0;
        if (holding.isValid()) {
            world.report(to -> to.relied(holding));
        } else if (!careless) {
            leave(holding);
            return;
        }
        if (!holding.isShared()) {
            boolean accepted = guarded.write(holding.resource(), holding.token());
            world.report(to -> to.wrote(holding, accepted));
        }
        if (checks == 0) {
            after(upTo(20), () -> leave(holding));
            return;
        }
        if (random.nextInt(4) == 0 && holding.isValid()) {
            holding.lease().extendAsync(plan.lease().lease()).exceptionally(lost -> false);
        }
        if (shares() && holding.isValid()) {
            holding.lease().downgradeAsync().exceptionally(lost -> false);
        }
        after(upTo(leaseMillis()), () -> stay(holding, checks - 1));
    }

    private boolean shares() {
        return plan.shared() > 0 && random.nextDouble() < plan.shared();
    }

    private int leaseMillis() {
        return (int) plan.lease().lease().toMillis();
    }

    private void leave(ObservedLease holding) {
        world.report(to -> to.releasing(holding));
        if (random.nextInt(RELEASES_PER_RETENTION) > 0) {
            holding.lease().releaseAsync().thenRun(() -> after(upTo(20), this::acquire));
            return;
        }
        Duration keep = upTo(leaseMillis());
        world.report(to -> to.retaining(holding, keep));
        holding.lease().releaseAsync(keep).thenAccept(outcome -> {
            if (outcome == ReleaseOutcome.RELEASED) {
                world.report(to -> to.retained(holding));
            }
            after(upTo(20), this::acquire);
        });
    }

    private void after(Duration delay, Runnable task) {
        client.time().schedule(delay, task);
    }

    private Duration upTo(int millis) {
        return Duration.ofNanos(random.nextLong(millis * 1_000_000L));
    }
}
