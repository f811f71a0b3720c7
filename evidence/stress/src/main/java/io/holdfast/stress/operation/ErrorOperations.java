package io.holdfast.stress.operation;

import io.holdfast.DistributedLock;
import io.holdfast.Held;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLock;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.stress.client.BackgroundThreads.InterruptibleAction;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.FailingTime;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.ObservedHold;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Calls whose wait ends by an error that the library cannot expect. Nothing may be held afterwards. */
public final class ErrorOperations implements Operation {

    private static final int LOCKS = 2;
    private static final int PERMITS = 2;
    private static final int WAIT_MILLIS = 300;
    private static final int ERROR_MICROS = 3_000;
    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofSeconds(1)).build();

    @Override
    public void run(OperationContext context) throws InterruptedException {
        Client client = context.client();
        Holdfast holdfast = client.holdfast();
        DistributedLock lock = holdfast.lock(Names.ERROR + context.random().nextInt(LOCKS), OPTIONS);
        switch (context.random().nextInt(8)) {
            case 0 -> fails(context, lock::acquire);
            case 1 -> fails(context, lock.shared()::acquire);
            case 2 -> fails(context, lock::tryAcquire);
            case 3 -> fails(context, DistributedSemaphore.of(holdfast, Names.ERROR_POOL, PERMITS, OPTIONS)::acquire);
            case 4 ->
                fails(context, MultiLock.of(holdfast, List.of(Names.ERROR + 0, Names.ERROR + 1), OPTIONS)::acquire);
            case 5 -> release(context, lock);
            case 6 -> extend(context, client, lock);
            default -> ofThread(context, client);
        }
    }

    /** Lets the waits of the action end by an error, after up to 3 ms. An action that does not wait has no error. */
    private static <T> void fails(OperationContext context, InterruptibleAction<T> action) throws InterruptedException {
        try {
            T result = FailingTime.failing(
                    Duration.ofNanos(1_000L * context.random().nextInt(ERROR_MICROS)), action);
            if (result instanceof Held || result instanceof Optional) {
                context.report(Kind.UNEXPECTED, "an acquisition did not wait, and returned " + result);
            }
        } catch (FailingTime.Stop injected) {
            // The action has ended by the error.
        }
    }

    private static void release(OperationContext context, DistributedLock lock) throws InterruptedException {
        long floor = context.floor(lock.resource());
        Lease lease = lock.acquire(context.upToMillis(WAIT_MILLIS));
        ObservedHold hold = context.enter(lease, floor);
        context.work();
        context.requireNotReleased(lease);
        hold.leave();
        fails(context, () -> lease.release());
    }

    private static void extend(OperationContext context, Client client, DistributedLock lock)
            throws InterruptedException {
        long floor = context.floor(lock.resource());
        Lease lease = lock.acquire(context.upToMillis(WAIT_MILLIS));
        ObservedHold hold = context.enter(lease, floor);
        fails(context, () -> lease.extend(OPTIONS.lease()));
        context.release(client, lease, hold);
    }

    /** The owner of these locks is the thread: an error must not leave it the lock that it has not acquired. */
    private static void ofThread(OperationContext context, Client client) throws InterruptedException {
        ReentrantDistributedLock lock = client.threadLock();
        fails(context, () -> {
            lock.lockInterruptibly();
            return true;
        });
        if (lock.isHeldByCurrentThread()) {
            context.report(Kind.UNEXPECTED, "a thread holds the lock although its acquisition has failed");
        }
        long floor = context.floor(Names.THREAD);
        if (!lock.tryLock()) {
            return;
        }
        ObservedHold hold = context.enter(lock.lease().orElseThrow(), floor);
        context.work();
        hold.leave();
        fails(context, () -> {
            lock.unlock();
            return true;
        });
        if (lock.isHeldByCurrentThread()) {
            context.report(Kind.UNEXPECTED, "a thread holds the lock after its release has failed");
        }
    }
}
