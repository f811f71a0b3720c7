package io.holdfast.stress.operation;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.ObservedHold;
import java.util.concurrent.TimeUnit;

/** Operations on the locks with the JDK's interface: interrupted, reentrant, read and written. */
public final class ThreadOperations implements Operation {

    private static final int WAIT_MILLIS = 300;
    private static final int INTERRUPT_MICROS = 3_000;
    private static final int SHORT_MICROS = 100;

    @Override
    public void run(OperationContext context) throws InterruptedException {
        Client client = context.client();
        ReentrantDistributedLock lock = switch (context.random().nextInt(4)) {
            case 0, 1 -> client.threadLock();
            case 2 -> client.readWriteLock().readLock();
            default -> client.readWriteLock().writeLock();
        };
        String resource = lock.equals(client.threadLock()) ? Names.THREAD : Names.READ_WRITE;
        long floor = context.floor(resource);
        if (acquire(context, lock)) {
            boolean writes = lock.equals(client.readWriteLock().writeLock());
            hold(context, client, lock, writes, floor);
        }
    }

    private static boolean acquire(OperationContext context, ReentrantDistributedLock lock)
            throws InterruptedException {
        switch (context.random().nextInt(4)) {
            case 0 -> lock.lock();
            case 1 -> {
                return lock.tryLock();
            }
            case 2 -> {
                return lock.tryLock(context.random().nextInt(WAIT_MILLIS), TimeUnit.MILLISECONDS);
            }
            default ->
                context.background().interrupted(context.random().nextInt(INTERRUPT_MICROS), () -> {
                    lock.lockInterruptibly();
                    return true;
                });
        }
        return true;
    }

    private static void hold(
            OperationContext context, Client client, ReentrantDistributedLock lock, boolean writes, long floor) {
        Lease lease = lock.lease().orElseThrow();
        ObservedHold hold = context.enter(lease, floor);
        context.work();
        if (context.oneIn(4)) {
            // The thread locks again what it holds; a writer may also read.
            ReentrantDistributedLock again = writes ? client.readWriteLock().readLock() : lock;
            again.lock();
            try {
                context.pause(SHORT_MICROS);
            } finally {
                again.unlock();
            }
        }
        context.requireNotReleased(lease);
        hold.leave();
        try {
            lock.unlock();
        } catch (LeaseLostException lost) {
            if (!client.isClosing()) {
                throw lost;
            }
        }
    }
}
