package io.holdfast.client;

import io.holdfast.event.Registration;
import io.holdfast.lease.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks that wait for the loss of one lease. Each runs at most once, as a task of its own.
 *
 * <p>Thread-safe; no callback runs under a lock of this class.
 */
public final class LossCallbacks {

    private final Executor executor;
    private final List<Entry> waiting = new ArrayList<>();
    private @Nullable Loss loss;

    private record Entry(Consumer<Loss> callback, AtomicBoolean ended) {

        void run(Loss loss) {
            if (ended.compareAndSet(false, true)) {
                callback.accept(loss);
            }
        }
    }

    /** Creates an object without callbacks. */
    public LossCallbacks(Executor executor) {
        this.executor = executor;
    }

    /** Adds a callback, which runs at once if the lease has been lost. */
    public Registration add(Consumer<Loss> callback) {
        Entry entry = new Entry(callback, new AtomicBoolean());
        Loss past = addOrGet(entry);
        if (past != null) {
            executor.execute(() -> entry.run(past));
        }
        return () -> remove(entry);
    }

    /** Returns a future of the loss. A future that was cancelled is not kept as long as the lease. */
    public CompletableFuture<Loss> future() {
        CompletableFuture<Loss> future = new CompletableFuture<>();
        Registration registration = add(future::complete);
        future.whenComplete((lost, failure) -> registration.close());
        return future;
    }

    private synchronized @Nullable Loss addOrGet(Entry entry) {
        if (loss == null) {
            waiting.add(entry);
        }
        return loss;
    }

    private synchronized void remove(Entry entry) {
        entry.ended().set(true);
        waiting.removeIf(other -> other.ended().get());
    }

    /** Runs all callbacks, and those that are added later. */
    public void lost(Loss now) {
        take(now).forEach(entry -> executor.execute(() -> entry.run(now)));
    }

    private synchronized List<Entry> take(Loss now) {
        loss = now;
        List<Entry> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
