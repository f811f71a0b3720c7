package io.holdfast.reactor;

import io.holdfast.Acquirable;
import io.holdfast.Held;
import io.holdfast.lease.Loss;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Locks that are held while a publisher runs, and released when it completes, fails or is cancelled.
 *
 * <pre>{@code
 * ReactorLocks.usingMono(holdfast.lock("order:42"), lease -> orders.ship(42, lease.fencingToken()))
 *         .onErrorResume(LockTimeoutException.class, held -> Mono.empty());
 * }</pre>
 *
 * <p>Each subscription acquires the lock with the options of the lock, and has a lease of its own, which belongs to no
 * thread. The result fails as {@link Acquirable#acquire()} does if the lock is not granted: with {@link
 * io.holdfast.LockTimeoutException}, {@link io.holdfast.QuorumUnreachableException}, or {@link IllegalStateException}
 * if the {@code Holdfast} is closed.
 *
 * <ul>
 * <li>A subscriber may cancel at any moment, also while a grant is on its way to it: no lock is left behind. {@code
 * usingWhen} with {@link Acquirable#acquireAsync()} has no such protection.
 * <li>The publisher is subscribed to on the callback executor of the client, on a thread that may block; if the lock
 * was granted at once, as to its owner, on that of the subscriber.
 * <li>The release has been sent before the result completes or fails, and a majority has answered it, or the node
 * timeout is over. A cancellation does not wait for it.
 * <li>If the lease is lost, the publisher is cancelled at once, and the result fails with {@link
 * io.holdfast.LeaseLostException}. So does a publisher that completes after the loss.
 * </ul>
 *
 * <p>All methods are thread-safe and do not block.
 */
public final class ReactorLocks {

    private ReactorLocks() {}

    /**
     * Returns a flux that holds the lock while the publisher runs.
     *
     * @param work returns the publisher for what is held; it may release that itself
     */
    public static <H extends Held, T> Flux<T> using(
            Acquirable<H> lock, Function<? super H, ? extends Publisher<? extends T>> work) {
        return Flux.defer(() -> {
            CompletableFuture<H> acquisition = lock.acquireAsync();
            // The operators below may drop a lease that has arrived, so only the future knows whether there is one.
            return Mono.fromFuture(acquisition, true)
                    .flatMapMany(held -> ReactorLocks.<H, T>holding(held, work))
                    .doFinally(end -> abandon(acquisition));
        });
    }

    /**
     * Returns a mono that holds the lock while another one runs; see {@link #using}.
     *
     * @param work returns the mono for what is held; it may release that itself
     */
    public static <H extends Held, T> Mono<T> usingMono(
            Acquirable<H> lock, Function<? super H, ? extends Mono<? extends T>> work) {
        return ReactorLocks.<H, T>using(lock, work).singleOrEmpty();
    }

    private static void abandon(CompletableFuture<? extends Held> acquisition) {
        if (!acquisition.cancel(true)) {
            acquisition.thenAccept(Held::releaseAsync);
        }
    }

    private static <H extends Held, T> Flux<T> holding(
            H held, Function<? super H, ? extends Publisher<? extends T>> work) {
        Mono<Loss> loss = Mono.create(sink -> sink.onDispose(held.onLost(sink::success)::close));
        Mono<T> end = Mono.fromFuture(held::finishAsync, true).then(Mono.empty());
        return ReactorLocks.<T>failingByErrors(Flux.defer(() -> Flux.from(work.apply(held))))
                .takeUntilOther(loss)
                .concatWith(end)
                .onErrorResume(failure -> ReactorLocks.<T>release(held).then(failed(failure)));
    }

    /**
     * Reports errors such as {@link NoClassDefFoundError} to the subscriber. Reactor throws them out of the
     * subscription, which is made by a future here, so they would be dropped: the lease would be renewed, and the
     * subscriber would wait, for ever.
     */
    private static <T> Flux<T> failingByErrors(Flux<T> work) {
        CompletableFuture<T> thrown = new CompletableFuture<>();
        Flux<T> caught = Flux.from(subscriber -> {
            try {
                work.subscribe(subscriber);
            } catch (Throwable failure) {
                thrown.completeExceptionally(failure);
            }
        });
        return caught.takeUntilOther(Mono.fromFuture(thrown, true));
    }

    /** Returns a mono that fails. {@code Mono.error} alone would throw such an error again after {@code then}. */
    private static <T> Mono<T> failed(Throwable failure) {
        return Mono.defer(() -> Mono.error(failure));
    }

    private static <T> Mono<T> release(Held held) {
        return Mono.fromFuture(held::releaseAsync, true).then(Mono.empty());
    }
}
