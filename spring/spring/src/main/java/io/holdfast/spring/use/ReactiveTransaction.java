package io.holdfast.spring.use;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/** The transaction of a subscriber. Loaded only where Spring's transactions and Reactor are on the class path. */
public final class ReactiveTransaction {

    private ReactiveTransaction() {}

    /** Yields {@code true} if the subscriber has a transaction. */
    public static Mono<Boolean> isActive() {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .map(TransactionSynchronizationManager::isActualTransactionActive)
                .onErrorReturn(NoTransactionException.class, false);
    }
}
