package io.holdfast.testkit.fault;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Says when bytes may pass; those who wait are told when it is switched. */
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

    /** Waits until bytes that arrived at that moment may go on in this direction; false if they end their connection. */
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
