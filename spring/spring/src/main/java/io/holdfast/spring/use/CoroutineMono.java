package io.holdfast.spring.use;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The result of a suspending function under its locks. Loaded only where Reactor and coroutines are. */
public final class CoroutineMono {

    private CoroutineMono() {}

    /**
     * Returns a mono that yields what another one does. A cancellation cancels the coroutine, if it has begun, and
     * leaves the other mono to end with it: its locks would otherwise be released before the end of the coroutine.
     */
    public static <T> Mono<T> of(Mono<T> locked, SuspendedCall coroutine) {
        return Mono.create(sink -> {
            Disposable running = locked.contextWrite(sink.contextView())
                    .subscribe(
                            sink::success,
                            failure -> {
                                if (!coroutine.isCancelled()) {
                                    sink.error(failure);
                                }
                            },
                            sink::success);
            sink.onCancel(() -> {
                if (!coroutine.cancel()) {
                    running.dispose();
                }
            });
        });
    }
}
