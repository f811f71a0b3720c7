package io.holdfast.spring.job;

import io.holdfast.spring.use.CallLocks;
import io.holdfast.spring.use.ThrownError;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A run of a method that returns a publisher. Loaded only where Reactor is. */
public final class ReactiveRun {

    private ReactiveRun() {}

    /**
     * Returns a publisher that runs the method unless it has succeeded in its period, and that ends after the record. A
     * cancellation is no success, and does not wait for the record.
     *
     * @param held the lock of the call, which has been granted when the publisher is subscribed to
     */
    public static Flux<Object> of(MethodRun run, CallLocks held, Flux<Object> body) {
        Flux<Object> recorded = body.concatWith(ended(run, null))
                .onErrorResume(thrown -> ended(run, ThrownError.unwrap(thrown)).then(Mono.error(thrown)))
                .doOnCancel(() -> run.endedAsync(new CancellationException("The subscriber cancelled the request")));
        return Mono.fromFuture(() -> run.startsAsync(held.uses().get(0).lease(), held.waited()), true)
                .flatMapMany(runs -> runs ? recorded : Flux.empty());
    }

    private static Mono<Object> ended(MethodRun run, @Nullable Throwable thrown) {
        return Mono.fromFuture(() -> run.endedAsync(thrown), true).then(Mono.empty());
    }
}
