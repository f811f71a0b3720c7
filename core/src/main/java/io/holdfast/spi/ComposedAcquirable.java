package io.holdfast.spi;

import io.holdfast.Acquirable;
import io.holdfast.Held;
import io.holdfast.HoldfastException;
import io.holdfast.LockOptions;
import io.holdfast.client.CallerFuture;
import io.holdfast.client.LockClient;
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
        try {
            return ThreadWait.request(client.time()::await, () -> request.apply(with), Held::releaseAsync);
        } catch (CompletionException failed) {
            throw HoldfastException.from(failed);
        }
    }

    @Override
    public CompletableFuture<H> acquireAsync(LockOptions with) {
        CompletableFuture<H> acquisition = request.apply(with);
        CompletableFuture<H> wanted = new CompletableFuture<>();
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        CallerFuture.complete(wanted, client.delivered(acquisition), Held::releaseAsync);
        return wanted;
    }
}
