package io.holdfast.simulation.world;

import io.holdfast.time.Durations;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Lets tasks of a run block although one thread does everything: while a task waits for a future, the world goes on
 * within that task. Every second wait wakes late, after the longest time that its call may take.
 */
public final class BlockingCalls {

    /** The longest time of a call of one round, which ends within half a second. */
    private static final Duration ONE_ROUND = Duration.ofMillis(510);

    /** No call of a simulated user waits for so long. */
    private static final Duration NEVER = Duration.ofMinutes(10);

    private static final Duration STEP = Duration.ofMillis(1);
    private static final int DEEPEST = 2;

    /** One of so many interrupts is an error instead. */
    private static final int ERROR_OF = 4;

    private final VirtualTime world;
    private final Deque<Frame> frames = new ArrayDeque<>();
    private boolean wakesLate;
    private boolean isStuck;
    private int interrupts;

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

    /** Executes a run whose tasks may block. Returns empty if one of them blocks forever. */
    public <T> Optional<T> carryOut(Callable<T> run) {
        try {
            T result = run.call();
            return isStuck ? Optional.empty() : Optional.of(result);
        } catch (ProcessEnded stuck) {
            return Optional.empty();
        } catch (Exception e) {
            throw new IllegalStateException("A run has failed", e);
        }
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

    /** Lets the world go on until the future is complete; see {@link io.holdfast.time.Time#await}. */
    boolean await(MachineTime machine, CompletableFuture<?> future, Duration limit) throws InterruptedException {
        Frame frame = frames.isEmpty() ? new Frame(machine) : frames.element();
        long begun = machine.now().nanos();
        wakesLate = !wakesLate;
        if (frame.interrupts || wakesLate) {
            pass(frame, Durations.shorter(frame.longest, limit));
        }
        if (frame.interrupts) {
            interrupt(frame);
        }
        while (!future.isDone()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted in a simulation");
            }
            Duration waited = Duration.ofNanos(machine.now().nanos() - begun);
            if (waited.compareTo(limit) >= 0) {
                return false;
            }
            requireEnd(waited);
            pass(frame, STEP);
        }
        return true;
    }

    private void interrupt(Frame frame) {
        if (++interrupts % ERROR_OF == 0) {
            throw new WaitEnded();
        }
        // A call that waits through interrupts starts again, and needs more time to succeed.
        frame.longest = frame.longest.multipliedBy(2);
        Thread.currentThread().interrupt();
    }

    /** Ends the run if a call never returns. */
    private void requireEnd(Duration waited) {
        if (waited.compareTo(NEVER) > 0) {
            isStuck = true;
            throw new ProcessEnded();
        }
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
