package io.holdfast.simulation.world;

import io.holdfast.time.MachineReading;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The clocks and timers of one machine, which run at their own rate. The machine can be stopped, so that due timers
 * wait. When it is suspended, its monotonic clock stops as well. Its wall clock can be set.
 */
public final class MachineTime implements Time {

    private static final long LONGEST_START_NANOS = 100_000;
    private static final long START_WALL_MICROS = 1_700_000_000_000_000L;

    private final String name;
    private final VirtualTime world;
    private final double rate;
    private final Deque<Runnable> overdue = new ArrayDeque<>();
    private long suspendedNanos;
    private long wallStepMicros;
    private boolean running = true;
    private boolean ended;
    private int disturbances;
    private @Nullable BlockingCalls blocking;
    private @Nullable RandomGenerator callbackDelays;

    /** Creates a machine on which this many seconds pass in a second of the world. */
    MachineTime(String name, VirtualTime world, double rate) {
        this.name = name;
        this.world = world;
        this.rate = rate;
    }

    /** Returns the time since the start of the machine, which also passes while it is suspended or stopped. */
    @Override
    public MachineReading machineReading() {
        return new MachineReading(name, Duration.ofNanos(elapsedNanos()));
    }

    @Override
    public Moment now() {
        long elapsed = elapsedNanos();
        return new Moment(elapsed - suspendedNanos, START_WALL_MICROS + elapsed / 1_000 + wallStepMicros);
    }

    private long elapsedNanos() {
        return (long) (world.now().nanos() * rate);
    }

    private long monotonicNanos() {
        return elapsedNanos() - suspendedNanos;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(monotonicNanos() + Math.max(0, delay.toNanos()), task);
        alarm.set();
        return alarm;
    }

    /** Runs a task as a separate thread, which may begin at once or after other threads have run. */
    @Override
    public void execute(Runnable task) {
        RandomGenerator delays = callbackDelays;
        if (delays == null || delays.nextInt(4) == 0) {
            schedule(Duration.ZERO, task);
        } else {
            schedule(Duration.ofNanos(delays.nextLong(LONGEST_START_NANOS)), task);
        }
    }

    /** Lets the world go on while a task waits. */
    @Override
    public boolean await(CompletableFuture<?> future, Duration limit) throws InterruptedException {
        BlockingCalls here = blocking;
        return (here == null ? new BlockingCalls(world) : here).await(this, future, limit);
    }

    /** Allows tasks to block from now on; threads then take a while to begin. */
    public void allowBlocking(BlockingCalls newBlocking, RandomGenerator newCallbackDelays) {
        blocking = newBlocking;
        callbackDelays = newCallbackDelays;
    }

    /** Runs the task now, or as soon as the machine continues. */
    void run(Runnable task) {
        BlockingCalls here = blocking;
        if (!running) {
            overdue.add(task);
        } else if (here == null) {
            task.run();
        } else {
            here.run(this, task);
        }
    }

    /** Stops all tasks of the machine; its clocks continue. */
    public void stop() {
        running = false;
        disturbances++;
    }

    public void goOn() {
        running = true;
        while (running && !overdue.isEmpty()) {
            run(overdue.remove());
        }
    }

    /** Stops the machine forever. */
    void end() {
        stop();
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    public boolean isRunning() {
        return running;
    }

    /** Adjusts the clock as after a suspension of this length that ends now. */
    public void skipMonotonicClock(Duration length) {
        suspendedNanos += length.toNanos();
    }

    public void stepWallClock(Duration step) {
        wallStepMicros += step.toNanos() / 1_000;
        disturbances++;
    }

    /** Returns how often the machine was stopped or its clock set. An unchanged count shows an undisturbed time. */
    public int disturbances() {
        return disturbances;
    }

    /** Returns these clocks as a Redis server reads them: expiry there uses only the wall clock. */
    Time asServer() {
        return new Time() {
            @Override
            public Moment now() {
                long wallMicros = MachineTime.this.now().wallMicros();
                return new Moment(wallMicros * 1_000, wallMicros);
            }

            @Override
            public Timer schedule(Duration delay, Runnable task) {
                return MachineTime.this.schedule(delay, task);
            }

            @Override
            public void execute(Runnable task) {
                MachineTime.this.execute(task);
            }
        };
    }

    /** A timer of the machine. It is its own task, in the world and on the machine: most of a run is timers. */
    private final class Alarm implements Timer, Runnable {

        private final long dueNanos;
        private final Runnable task;
        private boolean cancelled;
        private boolean arrived;
        private @Nullable Timer inWorld;

        Alarm(long dueNanos, Runnable task) {
            this.dueNanos = dueNanos;
            this.task = task;
        }

        void set() {
            long left = Math.max(0, dueNanos - monotonicNanos());
            arrived = false;
            inWorld = world.schedule(Duration.ofNanos((long) Math.ceil(left / rate)), this);
        }

        /** Called by the world when the timer is due, and then by the machine if it runs. */
        @Override
        public void run() {
            if (arrived) {
                ring();
            } else {
                arrived = true;
                MachineTime.this.run(this);
            }
        }

        @Override
        public void cancel() {
            Timer present = inWorld;
            if (!cancelled && present != null) {
                present.cancel();
            }
            cancelled = true;
        }

        private void ring() {
            if (cancelled) {
                return;
            } else if (monotonicNanos() < dueNanos) {
                set();
                return;
            }
            task.run();
        }
    }
}
