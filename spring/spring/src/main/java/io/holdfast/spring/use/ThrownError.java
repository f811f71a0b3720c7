package io.holdfast.spring.use;

import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * An error such as {@link NoClassDefFoundError}, as an exception. Operators of Reactor throw such errors out of their
 * signal: the lock would be renewed, and the subscriber would wait, for ever.
 */
public final class ThrownError extends RuntimeException {

    private static final long serialVersionUID = 1;

    private ThrownError(Throwable error) {
        super(error.toString(), error, false, false);
    }

    /** Returns the publisher of the method, which signals these errors as exceptions, also those that it throws. */
    public static Flux<Object> wrap(Supplier<? extends Publisher<Object>> method) {
        Flux<Object> signalled = Flux.defer(method).onErrorMap(Exceptions::isJvmFatal, ThrownError::new);
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Object> subscriber) {
                try {
                    signalled.subscribe(subscriber);
                } catch (Error error) {
                    Operators.reportThrowInSubscribe(subscriber, new ThrownError(error));
                }
            }
        };
    }

    /** Returns the error itself. */
    public static Throwable unwrap(Throwable failure) {
        return failure instanceof ThrownError && failure.getCause() != null ? failure.getCause() : failure;
    }
}
