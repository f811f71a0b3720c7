package io.holdfast.spi;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Held;
import io.holdfast.HeldRecord;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.client.ClientLock;
import io.holdfast.event.LockEvent;
import io.holdfast.time.Time;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The parts of a lock that classes need which are built on locks, and their users do not. */
public final class LockInternals {

    private LockInternals() {}

    /** Returns the clocks and threads of the client of the lock. */
    public static Time time(DistributedLock lock) {
        return ClientLock.client(lock).time();
    }

    /** Returns {@code true} if the client of the lock is closed. */
    public static boolean isClosed(DistributedLock lock) {
        return ClientLock.client(lock).isClosed();
    }

    /** Returns the clocks and threads of the client that holds the lock of the record. */
    public static Time time(HeldRecord record) {
        return ClientLock.client(record).time();
    }

    /** Fails the future when the client that holds the lock of the record is closed, or at once if it is closed. */
    public static void failAtClose(HeldRecord record, CompletableFuture<?> pending) {
        ClientLock.client(record).failAtClose(pending);
    }

    /** Reports an event to the listeners of the client that holds the lock of the record. Does not block. */
    public static void report(HeldRecord record, LockEvent event) {
        ClientLock.client(record).report(event);
    }

    /**
     * Returns the record with futures that complete on the thread that receives the last reply, or on that of a timer,
     * instead of the {@linkplain HoldfastOptions#callbackExecutor callback executor}. What depends on them must not
     * block. It has to be read first, also if the other one was.
     */
    public static HeldRecord onReplyThreads(HeldRecord record) {
        return ClientLock.onReplyThreads(record);
    }

    /**
     * Returns the lock with futures that complete on threads of the library, which may be blocked, instead of the
     * {@linkplain HoldfastOptions#callbackExecutor callback executor}: what is built on it goes on while that executor
     * is busy.
     */
    public static DistributedLock onLibraryThreads(DistributedLock lock) {
        return ClientLock.onLibraryThreads(lock);
    }

    /**
     * Requests the lock on a thread whose exceptions reach no caller: what this call throws, such as an error of a full
     * stack, fails the future.
     */
    public static CompletableFuture<Lease> acquireAsync(DistributedLock lock, LockOptions with) {
        try {
            return lock.acquireAsync(with);
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /**
     * Returns an acquirable that is made of requests to several locks. It has the options of this lock, blocks as this
     * lock does, and delivers its futures on the {@linkplain HoldfastOptions#callbackExecutor callback executor}.
     *
     * @param request begins an acquisition; to end the returned future ends it
     */
    public static <H extends Held> Acquirable<H> composed(
            DistributedLock lock, Function<LockOptions, CompletableFuture<H>> request) {
        return new ComposedAcquirable<>(ClientLock.client(lock), lock.options(), request);
    }
}
