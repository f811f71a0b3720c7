package io.holdfast.scoreboard.migration;

import io.holdfast.scoreboard.contestant.Contestant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/** A process of a fleet, with connections of its own, which end with it. */
final class Instance implements AutoCloseable {

    private static final long BRIEFLY_MILLIS = 10;

    private final Deque<Runnable> ends = new ArrayDeque<>();
    private final String name;
    private int requests;

    Instance(String name) {
        this.name = name;
    }

    /** Returns the name of the lock. */
    String name() {
        return name;
    }

    /** Lets a connection end with this instance, before those that were opened earlier. */
    <C> C closing(C connection, Consumer<C> close) {
        ends.push(() -> close.accept(connection));
        return connection;
    }

    /** Returns a lock that is requested in turn without a limit, and with limits that end many waits. */
    Contestant counting(Lock lock) {
        return (resource, onLost) -> {
            if (requests++ % 2 == 0) {
                lock.lock();
            } else {
                while (!lock.tryLock(BRIEFLY_MILLIS, TimeUnit.MILLISECONDS)) {
                    Thread.onSpinWait();
                }
            }
            return new Contestant.Hold(OptionalLong.empty(), lock::unlock);
        };
    }

    @Override
    public void close() {
        while (!ends.isEmpty()) {
            ends.pop().run();
        }
    }
}
