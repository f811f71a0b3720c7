package io.holdfast;

import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;

/** A time that runs an action in one step of its user, who reads the clock or sets a timer in each of them. */
class SteppedTime extends ForwardingTime {

    /** The number of steps until the action runs; zero: never. */
    private int left;

    private Runnable action = () -> {};

    SteppedTime(Time other) {
        super(other);
    }

    /** Runs the action in the step with this number, counted from 1 from now on. */
    void runAt(int step, Runnable newAction) {
        left = step;
        action = newAction;
    }

    /** Runs no action any more. */
    void goOn() {
        left = 0;
    }

    /** Counts a step. */
    void step() {
        if (left > 0 && --left == 0) {
            action.run();
        }
    }

    @Override
    public Moment now() {
        step();
        return super.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        step();
        return super.schedule(delay, task);
    }
}
