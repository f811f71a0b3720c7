package io.holdfast.simulation.world;

import io.holdfast.simulation.use.ProcessEnded;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lets tasks of a run block although one thread does everything: while a task waits for a future, the world goes on
 * within that task. A {@link ForkJoinPool} of one thread calls its {@code saturate} predicate before that thread waits.
 * The pool does not name the future, so the world goes on for as long as the call may take. The caller therefore
 * behaves like a thread that wakes late.
 */
public final class BlockingCalls {

    /** The longest time of a call of one round, which ends within half a second. */
    private static final Duration ONE_ROUND = Duration.ofMillis(510);

    private static final Duration STEP = Duration.ofMillis(1);
    private static final int CHECK_SECONDS = 2;
    private static final int DEEPEST = 2;

    private final VirtualTime world;
    private final Deque<Frame> frames = new ArrayDeque<>();
    private volatile @Nullable Thread thread;

    /** A task that runs on a machine, and how it blocks if it does. */
    private static final class Frame {

        private final MachineTime machine;
        private Duration longest = ONE_ROUND;
        private boolean interrupts;

        Frame(MachineTime machine) {
            this.machine = machine;
        }
    }

    public BlockingCalls(VirtualTime world) {
        this.world = world;
    }

    /** Executes a run on a thread whose tasks may block. Returns empty if one of them blocks forever. */
    public <T> Optional<T> carryOut(Callable<T> run) {
        ForkJoinPool pool = new ForkJoinPool(
                1,
                ForkJoinPool.defaultForkJoinWorkerThreadFactory,
                null,
                false,
                1,
                1,
                1,
                full -> letWorldGoOn(),
                1,
                TimeUnit.SECONDS);
        try {
            return await(pool.submit(() -> {
                thread = Thread.currentThread();
                return run.call();
            }));
        } finally {
            pool.shutdownNow();
        }
    }

    /**
     * Waits for the run. Only the run's own thread completes its futures, so once that thread is parked it never
     * continues.
     */
    private <T> Optional<T> await(ForkJoinTask<T> running) {
        int checks = 0;
        while (checks < 2) {
            try {
                return Optional.of(running.get(CHECK_SECONDS, TimeUnit.SECONDS));
            } catch (TimeoutException e) {
                Thread carrier = thread;
                checks = carrier != null && carrier.getState() == Thread.State.WAITING ? checks + 1 : 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            } catch (ExecutionException e) {
                throw new IllegalStateException("A run has failed", e.getCause());
            }
        }
        return Optional.empty();
    }

    /** Runs a task of the machine. */
    void run(MachineTime machine, Runnable task) {
        Frame frame = new Frame(machine);
        frames.push(frame);
        try {
            task.run();
        } catch (ProcessEnded ended) {
            if (!machine.isEnded()) {
                throw ended;
            }
        } finally {
            frames.pop();
        }
    }

    /**
     * Returns whether a task may block. Nested blocked tasks return late and in reverse order, so only one blocks at a
     * time where possible.
     */
    public boolean mayBlock() {
        return frames.size() < DEEPEST;
    }

    /**
     * Makes a blocking call within a task.
     *
     * @param longest the duration of each of its waits
     * @param interrupts whether the thread is interrupted after that
     */
    public <T> T call(Duration longest, boolean interrupts, Callable<T> call) throws Exception {
        Frame frame = frames.element();
        Duration longestBefore = frame.longest;
        boolean interruptedBefore = frame.interrupts;
        frame.longest = longest;
        frame.interrupts = interrupts;
        try {
            return call.call();
        } finally {
            frame.longest = longestBefore;
            frame.interrupts = interruptedBefore;
            clearInterrupt();
            pass(frame, Duration.ZERO);
        }
    }

    private static void clearInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /** Keeps the task busy with other work for this duration. */
    public void pass(Duration duration) {
        pass(frames.element(), duration);
    }

    private boolean letWorldGoOn() {
        Frame frame = frames.peek();
        if (frame == null) {
            world.advance(ONE_ROUND);
            return true;
        }
        pass(frame, frame.longest);
        if (frame.interrupts) {
            // A call that waits through interrupts starts again, and needs more time to succeed.
            frame.longest = frame.longest.multipliedBy(2);
            Thread.currentThread().interrupt();
        }
        return true;
    }

    private void pass(Frame frame, Duration duration) {
        MachineTime machine = frame.machine;
        long until = machine.now().nanos() + duration.toNanos();
        while (machine.isEnded() || !machine.isRunning() || machine.now().nanos() < until) {
            if (machine.isEnded()) {
                throw new ProcessEnded();
            }
            world.advance(STEP);
        }
    }
}
