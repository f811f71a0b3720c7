package io.holdfast.simulation;

import io.holdfast.node.Fleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** One run of a plan, watched by all checkers. */
public final class Simulation {

    /** What is owed to nodes that are back is paid within that time: a connection is given up, and tries are 1 s apart. */
    private static final Duration CALM = Duration.ofSeconds(4);

    private static final Duration STEP = Duration.ofMillis(100);

    private final Plan plan;
    private final World world;
    private final FencedResource guarded;
    private final SplittableRandom random;
    private final List<Worker> workers = new ArrayList<>();
    private final Count count = new Count();
    private final LivenessChecker liveness;

    private Simulation(Plan plan) {
        this.plan = plan;
        this.random = new SplittableRandom(plan.seed());
        List<Double> rates = Stream.generate(this::rate).limit(plan.nodes()).toList();
        this.world = new World(plan.seed(), rates, plan.fleet(), Network.GOOD);
        this.guarded = new FencedResource(world.violations());
        this.liveness = new LivenessChecker(world.violations(), plan.names(), plan.recoveryBound());
    }

    /** Runs it from its beginning to its end. */
    public static Result of(Plan plan) {
        return new Simulation(plan).run(List.of());
    }

    /** The same, seen by one more. */
    static Result of(Plan plan, Observer observer) {
        return new Simulation(plan).run(List.of(observer));
    }

    private Result run(List<Observer> others) {
        others.forEach(world::add);
        List.of(count, guarded, liveness).forEach(world::add);
        Checkers.of(world, plan.lease()).forEach(world::add);
        for (int i = 0; i < plan.clients(); i++) {
            addClient();
        }
        world.nodes().forEach(node -> node.adopt(fleet()));
        for (int round = 0; round < plan.rounds(); round++) {
            if (round > 0) {
                workers.forEach(Worker::stop);
                world.advance(plan.idle());
                workers.forEach(Worker::begin);
            }
            trouble();
            recover();
        }
        workers.forEach(Worker::stop);
        world.advance(plan.lease().lease().multipliedBy(5).plus(CALM));
        world.observer().ended();
        long granted = workers.stream().mapToLong(Worker::granted).sum();
        return new Result(
                plan,
                granted,
                count.struck,
                guarded.refused(),
                world.violations().found());
    }

    private Fleet fleet() {
        return new Fleet(plan.nodes(), plan.fleet().maxLease());
    }

    private void trouble() {
        Trouble trouble = new Trouble(world, plan.faults(), plan.names(), this::addClient);
        trouble.begin();
        world.advance(plan.trouble());
        trouble.end();
        world.observer().healed();
    }

    private void recover() {
        world.advance(CALM);
        world.observer().calm();
        Duration left = plan.recoveryBound().minus(CALM);
        while (!liveness.isSatisfied() && !left.isNegative()) {
            world.advance(STEP);
            left = left.minus(STEP);
        }
        liveness.check();
    }

    private SimulatedClient addClient() {
        SimulatedClient client = world.addClient(rate());
        for (int i = 0; i < plan.workers(); i++) {
            Worker worker = new Worker(client, plan, guarded, world.observer(), random.split());
            workers.add(worker);
            worker.begin();
        }
        return client;
    }

    private double rate() {
        return 1 + plan.faults().spread() * (2 * random.nextDouble() - 1);
    }

    private static final class Count implements Observer {

        private long struck;

        @Override
        public void struck(Fault fault) {
            struck++;
        }
    }
}
