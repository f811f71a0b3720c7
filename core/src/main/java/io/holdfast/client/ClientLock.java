package io.holdfast.client;

import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The parts of a lock, or of the record beside it, on which other locks are built. Users do not see them, since this
 * package is not exported.
 *
 * @param <L> the lock or the record
 */
public abstract class ClientLock<L> {

    private final LockClient client;
    private final Function<Executor, L> delivery;

    /**
     * Creates a lock or a record.
     *
     * @param delivery returns the same one, whose futures the executor completes
     */
    protected ClientLock(LockClient client, Function<Executor, L> delivery) {
        this.client = client;
        this.delivery = delivery;
    }

    /** Returns the client of the lock. */
    public static LockClient client(ClientLock<?> lock) {
        return lock.client;
    }

    /** Returns the lock with futures that complete on threads of the library, which may be blocked. */
    public static <L> L onLibraryThreads(ClientLock<L> lock) {
        return lock.delivery.apply(lock.client.time()::execute);
    }

    /** Returns the lock with futures that complete on the thread that receives a reply, which must not be blocked. */
    public static <L> L onReplyThreads(ClientLock<L> lock) {
        return lock.delivery.apply(Runnable::run);
    }
}
