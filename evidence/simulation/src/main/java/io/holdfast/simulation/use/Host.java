package io.holdfast.simulation.use;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.world.BlockingCalls;
import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.WaitEnded;
import io.holdfast.simulation.world.World;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A simulated client as its users see it. */
public final class Host {

    /** The longest time that closing waits for nodes. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final World world;
    private final SimulatedClient client;
    private final BlockingCalls blocking;
    private final FencedResource guarded;
    private final RandomGenerator random;
    private final Supplier<List<Host>> all;
    private final Runnable replace;
    private final List<ObservedLease> holdings = new ArrayList<>();

    public Host(
            World world,
            SimulatedClient client,
            BlockingCalls blocking,
            FencedResource guarded,
            RandomGenerator random,
            Supplier<List<Host>> all,
            Runnable replace) {
        this.world = world;
        this.client = client;
        this.blocking = blocking;
        this.guarded = guarded;
        this.random = random;
        this.all = all;
        this.replace = replace;
    }

    /** Returns the client of this process. */
    Holdfast holdfast() {
        return client.holdfast();
    }

    /** Returns the clocks and timers of its machine. */
    Time time() {
        return client.time();
    }

    /** Returns a process that has not ended, perhaps this one. */
    Host another() {
        List<Host> live =
                all.get().stream().filter(host -> !host.client.isDead()).toList();
        return live.isEmpty() ? this : live.get(random.nextInt(live.size()));
    }

    /** Returns whether few enough tasks are blocked. */
    boolean mayBlock() {
        return blocking.mayBlock();
    }

    /**
     * Makes a call whose waits all end within this time; it returns then, and not before.
     *
     * @throws io.holdfast.simulation.world.ProcessEnded if the process was killed meanwhile
     */
    <T> T block(Duration longest, Callable<T> call) throws Exception {
        return blocking.call(longest, false, call);
    }

    /** Makes a call whose thread is interrupted if it still waits after this time. */
    <T> T interrupt(Duration after, Callable<T> call) throws Exception {
        return blocking.call(after, true, call);
    }

    /** Keeps the thread of this task busy for this duration. */
    void pass(Duration duration) {
        blocking.pass(duration);
    }

    /** Closes the client and ends the process. Another one replaces it. */
    void exit() {
        if (client.isDead() || !mayBlock()) {
            return;
        }
        // Closing the client releases the leases.
        holdings.stream().filter(ObservedLease::isValid).forEach(one -> report(to -> to.releasing(one)));
        try {
            interrupt(CLOSE_LIMIT, User.done(() -> {
                client.holdfast().close();
                client.holdfast().close();
            }));
        } catch (WaitEnded error) {
            // The client is closed all the same.
        } catch (Exception failure) {
            report(Property.DOCUMENTED, "close threw " + failure);
        }
        client.kill();
        Fault closed = new Fault(client.name(), Fault.CLOSED);
        report(to -> to.struck(closed));
        replace.run();
    }

    /** Begins an attempt: a user is about to ask for a lock. */
    Attempt begin() {
        return new Attempt(client.time().now(), client.time().disturbances(), world.disruptions());
    }

    /** Records that the user checks the lease and finds it live; writes to the guarded resource unless it is shared. */
    void relied(ObservedLease holding) {
        report(to -> to.relied(holding));
        if (!holding.isShared()) {
            boolean accepted = guarded.write(holding.resource(), holding.token());
            report(to -> to.wrote(holding, accepted));
        }
    }

    /** Reports an event to all observers of the run. */
    void report(Consumer<Observer> event) {
        world.report(event);
    }

    /** Reports a broken promise, unless the process has ended. */
    void report(Property property, String what) {
        if (!client.isDead()) {
            world.violations().report(property, client.name() + ": " + what);
        }
    }

    /** An attempt of a user to get a lease. */
    final class Attempt {

        private final Moment begun;
        private final int disturbances;
        private final int disruptions;

        private Attempt(Moment begun, int disturbances, int disruptions) {
            this.begun = begun;
            this.disturbances = disturbances;
            this.disruptions = disruptions;
        }

        /** Records that a lease was granted to the user. */
        ObservedLease granted(Lease lease, LockOptions options) {
            ObservedLease holding = ObservedLease.granted(client, lease, begun, disturbances, options);
            report(to -> to.granted(holding));
            return watched(holding);
        }

        /** Records that the user resumes a lease that another user has, or had. */
        ObservedLease resumed(Lease lease, LockOptions options) {
            ObservedLease holding = new ObservedLease(client, lease, begun, disturbances, options, true);
            report(to -> to.resumed(holding));
            return watched(holding);
        }

        private ObservedLease watched(ObservedLease holding) {
            holdings.removeIf(other -> !other.isValid());
            holdings.add(holding);
            holding.lease().onLost(loss -> report(to -> to.lost(holding, loss)));
            return holding;
        }

        /** Returns whether no machine or network has failed since the attempt began. */
        boolean isUndisturbed() {
            return !client.isDead() && disruptions >= 0 && world.disruptions() == disruptions;
        }
    }
}
