package io.holdfast.simulation.load;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.record.LockRecord;
import io.holdfast.simulation.use.Host;
import io.holdfast.simulation.use.Rule;
import io.holdfast.simulation.use.WaitEnded;
import io.holdfast.simulation.world.BlockingCalls;
import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A simulated client as its users see it. */
public final class HostProcess implements Host {

    /** The longest time that closing waits for nodes. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final World world;
    private final SimulatedClient client;
    private final BlockingCalls blocking;
    private final FencedResource guarded;
    private final RandomGenerator random;
    private final Supplier<List<HostProcess>> all;
    private final Runnable replace;
    private final List<ObservedLease> holdings = new ArrayList<>();

    public HostProcess(
            World world,
            SimulatedClient client,
            BlockingCalls blocking,
            FencedResource guarded,
            RandomGenerator random,
            Supplier<List<HostProcess>> all,
            Runnable replace) {
        this.world = world;
        this.client = client;
        this.blocking = blocking;
        this.guarded = guarded;
        this.random = random;
        this.all = all;
        this.replace = replace;
    }

    @Override
    public Holdfast holdfast() {
        return client.holdfast();
    }

    @Override
    public Time time() {
        return client.time();
    }

    @Override
    public boolean isDead() {
        return client.isDead();
    }

    @Override
    public Host another() {
        List<HostProcess> live =
                all.get().stream().filter(host -> !host.isDead()).toList();
        return live.isEmpty() ? this : live.get(random.nextInt(live.size()));
    }

    @Override
    public boolean mayBlock() {
        return blocking.mayBlock();
    }

    @Override
    public <T> T block(Duration longest, Callable<T> call) throws Exception {
        return blocking.call(longest, false, call);
    }

    @Override
    public <T> T interrupt(Duration after, Callable<T> call) throws Exception {
        return blocking.call(after, true, call);
    }

    @Override
    public void pass(Duration duration) {
        blocking.pass(duration);
    }

    @Override
    public void exit() {
        if (client.isDead() || !mayBlock()) {
            return;
        }
        // Closing the client releases the leases.
        holdings.stream().filter(ObservedLease::isValid).forEach(one -> world.report(to -> to.releasing(one)));
        try {
            interrupt(CLOSE_LIMIT, () -> {
                client.holdfast().close();
                client.holdfast().close();
                return true;
            });
        } catch (WaitEnded error) {
            // The client is closed all the same.
        } catch (Exception failure) {
            report(Rule.DOCUMENTED, "close threw " + failure);
        }
        client.kill();
        Fault closed = new Fault(client.name(), Fault.CLOSED);
        world.report(to -> to.struck(closed));
        replace.run();
    }

    @Override
    public Attempt begin() {
        return new Asked(client.time().now(), client.time().disturbances(), world.disruptions());
    }

    @Override
    public void report(Rule rule, String what) {
        if (!client.isDead()) {
            world.violations().report(Property.valueOf(rule.name()), client.name() + ": " + what);
        }
    }

    private final class Asked implements Attempt {

        private final Moment begun;
        private final int disturbances;
        private final int disruptions;

        Asked(Moment begun, int disturbances, int disruptions) {
            this.begun = begun;
            this.disturbances = disturbances;
            this.disruptions = disruptions;
        }

        @Override
        public Held granted(Lease lease, LockOptions options) {
            ObservedLease holding = ObservedLease.granted(client, lease, begun, disturbances, options);
            world.report(to -> to.granted(holding));
            return watched(holding);
        }

        @Override
        public Held resumed(Lease lease, LockOptions options) {
            ObservedLease holding = new ObservedLease(client, lease, begun, disturbances, options, true);
            world.report(to -> to.resumed(holding));
            return watched(holding);
        }

        private Held watched(ObservedLease holding) {
            holdings.removeIf(other -> !other.isValid());
            holdings.add(holding);
            holding.lease().onLost(loss -> world.report(to -> to.lost(holding, loss)));
            return new Watched(holding);
        }

        @Override
        public boolean isUndisturbed() {
            return !client.isDead() && disruptions >= 0 && world.disruptions() == disruptions;
        }
    }

    private final class Watched implements Held {

        private final ObservedLease holding;

        Watched(ObservedLease holding) {
            this.holding = holding;
        }

        @Override
        public Lease lease() {
            return holding.lease();
        }

        @Override
        public LockOptions options() {
            return holding.options();
        }

        @Override
        public void relied() {
            world.report(to -> to.relied(holding));
            if (!holding.isShared()) {
                boolean accepted = guarded.write(holding.resource(), holding.token());
                world.report(to -> to.wrote(holding, accepted));
            }
        }

        @Override
        public void releasing() {
            world.report(to -> to.releasing(holding));
        }

        @Override
        public void retaining(Duration keep) {
            world.report(to -> to.retaining(holding, keep));
        }

        @Override
        public void retained() {
            world.report(to -> to.retained(holding));
        }

        @Override
        public void released() {
            world.report(to -> to.released(holding));
        }

        @Override
        public void readingRecord() {
            world.report(to -> to.readingRecord(holding));
        }

        @Override
        public void recordRead(LockRecord read) {
            world.report(to -> to.recordRead(holding, read));
        }

        @Override
        public void recordWritten() {
            world.report(to -> to.recordWritten(holding));
        }

        @Override
        public void detached() {
            world.report(to -> to.detached(holding));
        }
    }
}
