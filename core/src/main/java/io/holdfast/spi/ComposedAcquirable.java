package io.holdfast.spi;

import io.holdfast.Acquirable;
import io.holdfast.Held;
import io.holdfast.HoldfastException;
import io.holdfast.LockOptions;
import io.holdfast.client.LockClient;
import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** The result of requests to several locks; see {@link LockInternals#composed}. Thread-safe. */
record ComposedAcquirable<H extends Held>(
        LockClient client, LockOptions options, Function<LockOptions, CompletableFuture<H>> request)
        implements Acquirable<H> {

    @Override
    public H acquire(LockOptions with) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the lock was requested");
        }
        CompletableFuture<H> acquisition = request.apply(with);
        try {
            client.time().await(acquisition, Durations.FOREVER);
            return ThreadWait.resultOf(acquisition);
        } catch (CompletionException failed) {
            throw HoldfastException.from(failed);
        } catch (Throwable ended) {
            if (!acquisition.cancel(true)) {
                acquisition.thenAccept(Held::releaseAsync);
            }
            throw ended;
        }
    }

    @Override
    public CompletableFuture<H> acquireAsync(LockOptions with) {
        CompletableFuture<H> acquisition = request.apply(with);
        if (acquisition.isCompletedExceptionally()) {
            return acquisition;
        }
        CompletableFuture<H> wanted = new CompletableFuture<>();
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        acquisition.whenCompleteAsync(
                (granted, failure) -> {
                    if (failure != null) {
                        wanted.completeExceptionally(failure instanceof CompletionException e ? e.getCause() : failure);
                    } else if (!wanted.complete(granted)) {
                        granted.releaseAsync();
                    }
                },
                client::execute);
        return wanted;
    }
}
