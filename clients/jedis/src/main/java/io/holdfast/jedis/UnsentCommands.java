package io.holdfast.jedis;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands that one thread is about to write. Any thread adds some, and wakes the writer. If it fails in between,
 * since its stack is full, the next one wakes the writer: a blocking queue would not do that, because it is not empty.
 */
final class UnsentCommands<T> {

    private final Queue<T> commands = new ConcurrentLinkedQueue<>();

    /** The writer while it waits, or is about to. */
    private volatile @Nullable Thread waiting;

    void add(T command) {
        commands.add(command);
        wakeWriter();
    }

    /** Lets the writer examine whether it still has to wait. */
    void wakeWriter() {
        LockSupport.unpark(waiting);
    }

    @Nullable
    T poll() {
        return commands.poll();
    }

    /** Moves all commands. Only the writer calls this; it waits for a command until there is one or this is the end. */
    void moveTo(Collection<? super T> taken, BooleanSupplier isEnd) {
        moveTo(taken);
        while (taken.isEmpty() && !isEnd.getAsBoolean()) {
            waiting = Thread.currentThread();
            if (commands.isEmpty() && !isEnd.getAsBoolean()) {
                LockSupport.park(this);
            }
            waiting = null;
            moveTo(taken);
        }
    }

    private void moveTo(Collection<? super T> taken) {
        for (T next = commands.poll(); next != null; next = commands.poll()) {
            taken.add(next);
        }
    }
}
