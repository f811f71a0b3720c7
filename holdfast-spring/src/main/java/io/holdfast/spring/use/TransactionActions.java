package io.holdfast.spring.use;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Two actions at the end of a transaction. Only this class of the package names types of {@code spring-tx}, because the JVM loads them when
 * the class is verified.
 */
record TransactionActions(Runnable beforeCommit, Runnable afterCompletion) implements TransactionSynchronization {

    static boolean canRegister() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    static void register(Runnable beforeCommit, Runnable afterCompletion) {
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionActions(beforeCommit, afterCompletion));
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        beforeCommit.run();
    }

    @Override
    public void afterCompletion(int status) {
        afterCompletion.run();
    }
}
