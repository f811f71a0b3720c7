package io.holdfast.spring.use;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** The end of the transaction of this thread, where Spring's transactions are on the class path. */
public final class TransactionEnd {

    public static final boolean KNOWS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TransactionEnd.class.getClassLoader());

    private TransactionEnd() {}

    /** Returns {@code true} if this thread has a transaction. */
    public static boolean isPending() {
        return KNOWS_TRANSACTIONS
                && TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /**
     * Registers two actions with the transaction of this thread.
     *
     * @param beforeCommit may throw, which rolls the transaction back
     * @param afterCompletion runs after the commit or the rollback, and after the same actions of others
     */
    public static void register(Runnable beforeCommit, Runnable afterCompletion) {
        TransactionSynchronizationManager.registerSynchronization(new Actions(beforeCommit, afterCompletion));
    }

    /** Loaded only where Spring's transactions are on the class path. */
    private record Actions(Runnable beforeCommit, Runnable afterCompletion) implements TransactionSynchronization {

        @Override
        public void beforeCommit(boolean readOnly) {
            beforeCommit.run();
        }

        @Override
        public void afterCompletion(int status) {
            afterCompletion.run();
        }
    }
}
