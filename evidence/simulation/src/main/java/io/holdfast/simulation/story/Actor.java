package io.holdfast.simulation.story;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.LeaseState;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import io.holdfast.time.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A client with threads that acquire one lock. All checkers observe its leases. */
final class Actor {

    private final World world;
    private final SimulatedClient client;
    private final String lock;
    private final LockOptions options;
    private final Deque<ObservedLease> leases = new ArrayDeque<>();
    private int waiting;

    Actor(World world, String lock, LockOptions options) {
        this.world = world;
        this.client = world.addClient(1);
        this.lock = lock;
        this.options = options;
    }

    String name() {
        return client.name();
    }

    SimulatedClient client() {
        return client;
    }

    /** Requests the lock in one more thread. */
    void ask() {
        Moment begun = client.time().now();
        int disturbances = client.time().disturbances();
        waiting++;
        client.holdfast().lock(lock, options).acquireAsync().thenAccept(lease -> {
            waiting--;
            ObservedLease holding = ObservedLease.granted(client, lease, begun, disturbances, options);
            lease.onLost(loss -> world.report(to -> to.lost(holding, loss)));
            leases.addLast(holding);
            world.report(to -> to.granted(holding));
        });
    }

    boolean holds() {
        ObservedLease last = leases.peekLast();
        return last != null && last.lease().state() == LeaseState.HELD;
    }

    private ObservedLease last() {
        return leases.getLast();
    }

    /** Returns the fencing token of the last lease. */
    long token() {
        return last().token();
    }

    void release() {
        ObservedLease last = last();
        world.report(to -> to.releasing(last));
        last.lease().releaseAsync();
    }

    /**
     * Writes to the resource with the token of the last lease, whether the lease is valid or not; returns whether the
     * resource accepts it.
     */
    boolean write(FencedResource resource) {
        ObservedLease last = last();
        boolean accepted = resource.write(lock, last.token());
        world.report(to -> to.wrote(last, accepted));
        return accepted;
    }

    void stop() {
        client.time().stop();
    }

    void goOn() {
        client.time().goOn();
    }

    Story.Client picture() {
        ObservedLease last = leases.peekLast();
        Lease lease = last == null ? null : last.lease();
        boolean running = client.time().isRunning();
        boolean held = lease != null && (!running || lease.state() == LeaseState.HELD);
        long left = running && lease != null ? lease.remaining().toMillis() : 0;
        return new Story.Client(name(), state(lease, running), held ? token() : null, left, waiting);
    }

    /** A paused process does not notice anything, so its lease is not asked. */
    private String state(@Nullable Lease lease, boolean running) {
        if (!running) {
            return "paused";
        }
        LeaseState state = lease == null ? LeaseState.RELEASED : lease.state();
        return switch (state) {
            case HELD -> "holds";
            case LOST -> "lost";
            default -> waiting > 0 ? "waits" : "idle";
        };
    }
}
