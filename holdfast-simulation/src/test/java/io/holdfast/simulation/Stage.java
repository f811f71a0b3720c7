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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** A small world in which a test does one thing after another; all checkers look on. */
final class Stage {

    static final Duration LEASE = Duration.ofSeconds(10);
    static final String LOCK = "a";
    /** One round; kept without a renewal. */
    static final LockOptions ONCE = LockOptions.builder()
            .lease(LEASE)
            .renewal(false)
            .waitLimit(Duration.ZERO)
            .unreachableLimit(Duration.ZERO)
            .build();

    static final LockOptions RENEWED = ONCE.toBuilder().renewal(true).build();
    static final HoldfastOptions QUARANTINE = HoldfastOptions.builder()
            .maxLease(LEASE)
            .restarts(RestartPolicy.QUARANTINE)
            .build();

    /** What a round takes on a network without faults, and more. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final World world;
    private final FencedResource guarded;

    private Stage(World world) {
        this.world = world;
        this.guarded = new FencedResource(world.violations());
        world.add(guarded);
        Checkers.of(world).forEach(world::add);
        QuorumConfig config = new QuorumConfig(world.nodes().size(), LEASE);
        world.nodes().forEach(node -> node.admit(config));
    }

    /** So many nodes that have been adopted, and whose vote does not count for a while when they were restarted. */
    static Stage of(int nodes) {
        return of(nodes, QUARANTINE);
    }

    static Stage of(int nodes, HoldfastOptions options) {
        return of(Collections.nCopies(nodes, 1.0), options);
    }

    /** Nodes whose clocks go at these rates. */
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

    /** Asks and lets nothing happen. */
    CompletableFuture<Lease> ask(SimulatedClient client, LockOptions options) {
        Moment begun = client.time().now();
        int disturbances = client.time().disturbances();
        CompletableFuture<Lease> asked = client.holdfast().lock(LOCK, options).acquireAsync();
        asked.thenAccept(lease -> {
            ObservedLease holding = ObservedLease.granted(client, lease, begun, disturbances, options);
            lease.onLost(loss -> world.observer().lost(holding, loss));
            world.observer().granted(holding);
        });
        return asked;
    }

    /** Takes the lock, which must be free. */
    Lease hold(SimulatedClient client, LockOptions options) {
        CompletableFuture<Lease> asked = ask(client, options);
        pass(MOMENT);
        assertThat(asked).isCompleted();
        return asked.join();
    }

    Lease hold(SimulatedClient client) {
        return hold(client, ONCE);
    }

    /** Tries to take the lock, which must not be possible. Where no holder is seen, it is tried a few times. */
    void assertRefused(SimulatedClient client) {
        CompletableFuture<Lease> asked = ask(client, ONCE);
        pass(MOMENT.multipliedBy(30));
        assertThat(asked).isCompletedExceptionally();
    }

    /** Whether the guarded resource takes what this holder writes. */
    boolean writes(Lease lease) {
        return guarded.write(lease.resource(), lease.fencingToken().value());
    }

    void release(Lease lease) {
        lease.releaseAsync();
        pass(MOMENT);
    }

    /** The holder whose attempt reaches these nodes alone. */
    Lease holdOnly(SimulatedClient client, LockOptions options, int... nodes) {
        Set<Integer> reached = Arrays.stream(nodes).boxed().collect(Collectors.toSet());
        for (int i = 0; i < world.nodes().size(); i++) {
            if (!reached.contains(i)) {
                client.link(i).requests().close();
            }
        }
        Lease lease = hold(client, options);
        for (int i = 0; i < world.nodes().size(); i++) {
            client.link(i).requests().open(true);
        }
        return lease;
    }

    /** A client reaches no node, until it does again. */
    void cut(SimulatedClient client) {
        client.links().forEach(link -> {
            link.requests().close();
            link.replies().close();
        });
    }

    void join(SimulatedClient client, boolean losesWhatWaited) {
        client.links().forEach(link -> {
            link.requests().open(losesWhatWaited);
            link.replies().open(losesWhatWaited);
        });
    }

    /** No node keeps anything of this lock. */
    void assertNothingLeft() {
        for (SimulatedNode node : world.nodes()) {
            Owner owner = node.memory().ownerOf(LOCK);
            assertThat(owner).as(node.name()).isNull();
        }
    }

    /** Which promises were broken. */
    Set<Property> broken() {
        return world.violations().found().stream().map(Violation::property).collect(Collectors.toSet());
    }
}
