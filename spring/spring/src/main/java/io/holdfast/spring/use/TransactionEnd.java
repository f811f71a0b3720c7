package io.holdfast.spring.use;

import java.util.function.Consumer;
import org.springframework.util.ClassUtils;

/** The end of the transaction of this thread, where Spring's transactions are on the class path. */
public final class TransactionEnd {

    public static final boolean KNOWS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TransactionEnd.class.getClassLoader());

    private TransactionEnd() {}

    /** Returns {@code true} if this thread has a transaction. */
    public static boolean isPending() {
        return KNOWS_TRANSACTIONS && TransactionActions.canRegister();
    }

    /**
     * Registers an action with the transaction of this thread, unless an equal one is registered.
     *
     * @param beforeCommit may throw, which rolls the transaction back
     */
    public static void register(Runnable beforeCommit) {
        TransactionActions.register(beforeCommit, null);
    }

    /**
     * Registers two actions with the transaction of this thread.
     *
     * @param beforeCommit may throw, which rolls the transaction back
     * @param afterCompletion receives whether the transaction was certainly committed, and after the same actions of
     *     others
     */
    public static void register(Runnable beforeCommit, Consumer<Boolean> afterCompletion) {
        TransactionActions.register(beforeCommit, afterCompletion);
    }
}
