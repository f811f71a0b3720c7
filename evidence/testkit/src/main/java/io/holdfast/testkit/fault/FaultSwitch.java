package io.holdfast.testkit.fault;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The faults that are on. Threads that wait to pass bytes are signalled when the faults change. */
final class FaultSwitch {

    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition switched = mutex.newCondition();
    private Duration delay = Duration.ZERO;
    private Set<Direction> held = Set.of();
    private boolean severs;

    void set(Duration newDelay, Set<Direction> newHeld, boolean newSevers) {
        mutex.lock();
        try {
            delay = newDelay;
            held = Set.copyOf(newHeld);
            severs = newSevers;
            switched.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Waits until bytes that arrived at the given time may pass in this direction; false if they end their connection.
     */
    boolean awaitPassage(Direction direction, long arrivedNanos) throws InterruptedException {
        mutex.lockInterruptibly();
        try {
            for (long wait = waitNanos(direction, arrivedNanos); wait > 0; wait = waitNanos(direction, arrivedNanos)) {
                switched.awaitNanos(wait);
            }
            return !severs || direction == Direction.REQUESTS;
        } finally {
            mutex.unlock();
        }
    }

    private long waitNanos(Direction direction, long arrivedNanos) {
        return held.contains(direction) ? Long.MAX_VALUE : delay.toNanos() - (System.nanoTime() - arrivedNanos);
    }
}
