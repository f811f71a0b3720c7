package io.holdfast.spring.use;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The actions at the end of a transaction. Only this class of the package names types of {@code spring-tx}, because the
 * JVM loads them when the class is verified.
 */
record TransactionActions(Runnable beforeCommit, @Nullable Consumer<Boolean> afterCompletion)
        implements TransactionSynchronization {

    static boolean canRegister() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    static void register(Runnable beforeCommit, @Nullable Consumer<Boolean> afterCompletion) {
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionActions(beforeCommit, afterCompletion));
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        beforeCommit.run();
    }

    @Override
    public void afterCompletion(int status) {
        if (afterCompletion != null) {
            afterCompletion.accept(status == STATUS_COMMITTED);
        }
    }
}
