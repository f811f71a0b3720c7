package io.holdfast.simulation;

import io.holdfast.node.QuorumConfig;
import io.holdfast.simulation.check.Checkers;
import io.holdfast.simulation.check.HealthyChecker;
import io.holdfast.simulation.check.LivenessChecker;
import io.holdfast.simulation.check.NothingHeldChecker;
import io.holdfast.simulation.check.PermitsChecker;
import io.holdfast.simulation.load.FaultInjector;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.load.Interruptions;
import io.holdfast.simulation.load.LockWorker;
import io.holdfast.simulation.load.Rollout;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.plan.Plan;
import io.holdfast.simulation.use.Host;
import io.holdfast.simulation.use.Menu;
import io.holdfast.simulation.use.Users;
import io.holdfast.simulation.world.BlockingCalls;
import io.holdfast.simulation.world.CarriedOutClaims;
import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedClient.Membership;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of a plan, observed by all checkers. */
public final class Simulation {

    /**
     * Pending cleanup finishes within this time after nodes return: a connection is closed, and attempts are 1 s apart.
     */
    private static final Duration CALM = Duration.ofSeconds(5);

    /** The time with interruptions, beside some leases. */
    private static final Duration INTERRUPTED = Duration.ofSeconds(20);

    private static final int INTERRUPTED_LEASES = 4;

    private static final Duration STEP = Duration.ofMillis(100);

    private final Plan plan;
    private final World world;
    private final FencedResource guarded;
    private final SplittableRandom random;
    private final List<LockWorker> workers = new ArrayList<>();
    private final Count count = new Count();
    private final CarriedOutClaims carriedOut = new CarriedOutClaims();
    private final LivenessChecker liveness;
    private final @Nullable BlockingCalls blocking;
    private final @Nullable Interruptions interruptions;
    private final @Nullable Rollout rollout;
    private final List<Host> hosts = new ArrayList<>();
    private final List<Users> users = new ArrayList<>();
    private @Nullable FaultInjector trouble;

    private Simulation(Plan plan) {
        this.plan = plan;
        this.random = new SplittableRandom(plan.seed());
        List<Double> rates = Stream.generate(this::rate)
                .limit((long) plan.nodes() + plan.previousNodes())
                .toList();
        this.world = new World(plan.seed(), rates, plan.previousNodes(), plan.config(), Network.GOOD);
        this.guarded = new FencedResource(world.violations());
        this.blocking = plan.everything() || world.isChanging() ? new BlockingCalls(world.time()) : null;
        this.rollout = blocking == null || !world.isChanging()
                ? null
                : new Rollout(world, blocking, this::retire, this::replaceClosed);
        this.interruptions = plan.keepsLeases()
                ? new Interruptions(world, carriedOut, plan.lease().lease(), plan.seed())
                : null;
        this.liveness = new LivenessChecker(world.violations(), plan.names(), plan.recoveryBound());
    }

    /** Runs the plan from its beginning to its end. */
    public static SimulationResult of(Plan plan) {
        return new Simulation(plan).run(List.of());
    }

    /** Runs the plan with an additional observer. */
    static SimulationResult of(Plan plan, Observer observer) {
        return new Simulation(plan).run(List.of(observer));
    }

    private SimulationResult run(List<Observer> others) {
        BlockingCalls here = blocking;
        if (here == null) {
            return runHere(others);
        }
        return here.carryOut(() -> runHere(others)).orElseGet(() -> {
            world.violations().report(Property.WAIT_ENDS, "a call blocks for ever");
            return result();
        });
    }

    private SimulationResult runHere(List<Observer> others) {
        others.forEach(world::add);
        List.of(count, guarded, liveness, carriedOut).forEach(world::add);
        Checkers.of(world).forEach(world::add);
        world.add(new HealthyChecker(world, carriedOut));
        Stream.ofNullable(interruptions).forEach(world::add);
        for (int i = 0; i < plan.clients(); i++) {
            addClient();
        }
        world.nodes()
                .forEach(node -> node.admit(
                        new QuorumConfig(world.setOf(node).size(), plan.config().maxLease())));
        if (world.isChanging()) {
            world.beginChange();
        }
        if (plan.everything()) {
            users.get(0).admitNodes();
            world.advance(STEP);
            users.forEach(Users::begin);
        }
        for (int round = 0; round < plan.rounds(); round++) {
            if (round > 0) {
                stop();
                world.advance(plan.idle());
                workers.forEach(LockWorker::begin);
                users.forEach(Users::begin);
            }
            trouble();
            recover();
            if (plan.everything()) {
                world.advance(plan.config().maxLease().multipliedBy(3));
            }
        }
        interrupt();
        stop();
        world.advance(plan.lease().lease().multipliedBy(5).plus(CALM));
        if (plan.everything()) {
            world.advance(plan.config().maxLease().multipliedBy(3));
            new NothingHeldChecker(world).check();
        }
        world.report(Observer::ended);
        return result();
    }

    private void stop() {
        workers.forEach(LockWorker::stop);
        users.forEach(Users::stop);
    }

    private SimulationResult result() {
        long granted = workers.stream().mapToLong(LockWorker::granted).sum()
                + users.stream().mapToLong(Users::granted).sum();
        return new SimulationResult(
                plan,
                granted,
                count.struck,
                guarded.refused(),
                count.changed,
                world.violations().found());
    }

    private void trouble() {
        FaultInjector present = new FaultInjector(world, plan.faults(), plan.names(), this::replacement);
        trouble = present;
        present.begin();
        Stream.ofNullable(rollout).forEach(Rollout::begin);
        // A timer ends the faults, also while a blocked call of a user lets the world go on.
        world.time().schedule(plan.trouble(), () -> {
            present.end();
            Stream.ofNullable(rollout).forEach(Rollout::end);
            world.report(Observer::healed);
        });
        world.advance(plan.trouble());
    }

    private void interrupt() {
        Interruptions present = interruptions;
        if (present != null) {
            present.begin();
            world.advance(plan.lease().lease().multipliedBy(INTERRUPTED_LEASES).plus(INTERRUPTED));
            present.end();
        }
    }

    private void recover() {
        world.advance(CALM);
        world.report(Observer::calm);
        Duration left = plan.recoveryBound().minus(CALM);
        while (!liveness.isSatisfied() && !left.isNegative()) {
            world.advance(STEP);
            left = left.minus(STEP);
        }
        liveness.check();
    }

    private SimulatedClient addClient() {
        SimulatedClient client = world.addClient(rate(), rollout == null ? Membership.PRESENT : rollout.wanted());
        for (int i = 0; i < plan.workers(); i++) {
            LockWorker worker = new LockWorker(client, plan, guarded, world, random.split());
            workers.add(worker);
            worker.begin();
        }
        if (blocking != null && plan.everything()) {
            addUsers(client, blocking);
        }
        return client;
    }

    private void addUsers(SimulatedClient client, BlockingCalls here) {
        client.time().allowBlocking(here, random.split());
        Host host = new Host(world, client, here, guarded, random.split(), () -> hosts, this::replaceClosed);
        hosts.add(host);
        Menu menu = new Menu(
                plan.names(),
                plan.lease(),
                plan.config().maxLease(),
                PermitsChecker.PERMITS,
                plan.faults().spread() == 0);
        Users added = new Users(host, menu, random.split());
        users.add(added);
    }

    private void retire(SimulatedClient client) {
        workers.stream().filter(worker -> worker.isOf(client)).forEach(LockWorker::stop);
    }

    private SimulatedClient replacement() {
        SimulatedClient client = addClient();
        if (plan.everything()) {
            users.get(users.size() - 1).begin();
        }
        return client;
    }

    private void replaceClosed() {
        SimulatedClient client = replacement();
        if (trouble != null) {
            trouble.beginFor(client);
        }
    }

    private double rate() {
        return 1 + plan.faults().spread() * (2 * random.nextDouble() - 1);
    }

    private static final class Count implements Observer {

        private long struck;
        private long changed;

        @Override
        public void struck(Fault fault) {
            struck++;
        }

        @Override
        public void changed() {
            changed++;
        }
    }
}
