package io.holdfast.client;

import io.holdfast.event.LockEvent;
import io.holdfast.event.Registration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one client. Each receives its events one after another, in the order in which they were reported, as
 * tasks of the callback executor.
 *
 * <p>Thread-safe; no listener runs under a lock of this class.
 */
public final class EventListeners {

    /** A listener that is further behind than this loses events. */
    public static final int MAX_PENDING = 10_000;

    private final Executor executor;
    private final ClientLog log;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Creates an object without listeners. */
    public EventListeners(Executor executor, ClientLog log) {
        this.executor = executor;
        this.log = log;
    }

    /** Returns {@code true} if there is no listener, so that no event need be created. */
    boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Adds a listener. */
    public Registration add(Consumer<? super LockEvent> consumer) {
        Listener listener = new Listener(consumer);
        listeners.add(listener);
        return () -> {
            listener.closed = true;
            listeners.remove(listener);
        };
    }

    /** Reports an event to all listeners. Does not block. */
    public void report(LockEvent event) {
        listeners.forEach(listener -> listener.report(event));
    }

    private final class Listener {

        private final Consumer<? super LockEvent> consumer;
        private final Queue<LockEvent> pending = new ArrayDeque<>();
        private boolean running;
        private boolean overrun;
        private volatile boolean closed;

        Listener(Consumer<? super LockEvent> consumer) {
            this.consumer = consumer;
        }

        void report(LockEvent event) {
            if (enqueue(event)) {
                executor.execute(this::deliver);
            }
        }

        /** Returns {@code true} if no task delivers events at the moment. */
        private synchronized boolean enqueue(LockEvent event) {
            if (pending.size() >= MAX_PENDING) {
                if (!overrun) {
                    log.slowListener(MAX_PENDING);
                }
                overrun = true;
                return false;
            }
            pending.add(event);
            boolean idle = !running;
            running = true;
            return idle;
        }

        private void deliver() {
            for (LockEvent event = next(); event != null; event = next()) {
                try {
                    consumer.accept(event);
                } catch (Throwable failure) {
                    ClientLog.failed(failure);
                }
            }
        }

        private synchronized @Nullable LockEvent next() {
            LockEvent event = closed ? null : pending.poll();
            running = event != null;
            overrun &= running;
            return event;
        }
    }
}
