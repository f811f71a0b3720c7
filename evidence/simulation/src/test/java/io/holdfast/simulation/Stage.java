package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.Owner;
import io.holdfast.node.QuorumConfig;
import io.holdfast.simulation.check.Checkers;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** A small world in which a test performs one step after another, observed by all checkers. */
final class Stage {

    static final Duration LEASE = Duration.ofSeconds(10);
    static final String LOCK = "a";
    /** Options for one round without renewal. */
    static final LockOptions ONCE = LockOptions.builder()
            .lease(LEASE)
            .renewal(false)
            .waitLimit(Duration.ZERO)
            .build();

    static final LockOptions RENEWED = ONCE.toBuilder().renewal(true).build();
    static final HoldfastOptions QUARANTINE = HoldfastOptions.builder()
            .maxLease(LEASE)
            .restarts(RestartPolicy.QUARANTINE)
            .build();

    /** More than the duration of a round on a network without faults. */
    static final Duration MOMENT = Duration.ofMillis(100);

    private final World world;

    private Stage(World world) {
        this.world = world;
        world.add(new FencedResource(world.violations()));
        Checkers.of(world).forEach(world::add);
        QuorumConfig config = new QuorumConfig(world.nodes().size(), LEASE);
        world.nodes().forEach(node -> node.admit(config));
    }

    /** Creates a stage with adopted nodes, whose votes do not count for a while after a restart. */
    static Stage of(int nodes) {
        return of(Collections.nCopies(nodes, 1.0), QUARANTINE);
    }

    /** Creates a stage with nodes whose clocks have these rates. */
    static Stage of(List<Double> rates, HoldfastOptions options) {
        return new Stage(new World(1, rates, options, Network.GOOD));
    }

    SimulatedClient client() {
        return world.addClient(1);
    }

    SimulatedNode node(int index) {
        return world.nodes().get(index);
    }

    World world() {
        return world;
    }

    void pass(Duration duration) {
        world.advance(duration);
    }

    /** Asks for the lock without advancing time. */
    CompletableFuture<Lease> ask(SimulatedClient client, LockOptions options) {
        Moment begun = client.time().now();
        int disturbances = client.time().disturbances();
        CompletableFuture<Lease> asked = client.holdfast().lock(LOCK, options).acquireAsync();
        asked.thenAccept(lease -> {
            ObservedLease holding = ObservedLease.granted(client, lease, begun, disturbances, options);
            lease.onLost(loss -> world.report(to -> to.lost(holding, loss)));
            world.report(to -> to.granted(holding));
        });
        return asked;
    }

    /** Acquires the lock, which must be free. */
    Lease hold(SimulatedClient client, LockOptions options) {
        CompletableFuture<Lease> asked = ask(client, options);
        pass(MOMENT);
        assertThat(asked).isCompleted();
        return asked.join();
    }

    Lease hold(SimulatedClient client) {
        return hold(client, ONCE);
    }

    /** Tries to acquire the lock and expects a failure. If no holder is seen, it is tried a few times. */
    void assertRefused(SimulatedClient client) {
        CompletableFuture<Lease> asked = ask(client, ONCE);
        pass(MOMENT.multipliedBy(30));
        assertThat(asked).isCompletedExceptionally();
    }

    void release(Lease lease) {
        lease.releaseAsync();
        pass(MOMENT);
    }

    /** Cuts a client off from all nodes. */
    void cut(SimulatedClient client) {
        client.links().forEach(link -> {
            link.requests().close();
            link.replies().close();
        });
    }

    /** Checks that no node keeps any state of this lock. */
    void assertNothingLeft() {
        for (SimulatedNode node : world.nodes()) {
            Owner owner = node.memory().ownerOf(LOCK);
            assertThat(owner).as(node.name()).isNull();
        }
    }

    /** Returns the broken promises. */
    Set<Property> broken() {
        return world.violations().found().stream().map(Violation::property).collect(Collectors.toSet());
    }
}
