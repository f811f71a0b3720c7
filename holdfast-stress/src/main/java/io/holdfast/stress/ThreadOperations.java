package io.holdfast.stress;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.stress.witness.Stay;
import java.util.concurrent.TimeUnit;

/** The locks with the interface of the JDK: interrupted, re-entrant, read and written. */
final class ThreadOperations implements Operation {

    private static final int WAIT_MILLIS = 300;
    private static final int INTERRUPT_MICROS = 3_000;
    private static final int SHORT_MICROS = 100;

    @Override
    public void run(Scene scene) throws InterruptedException {
        Client client = scene.client();
        ReentrantDistributedLock lock = switch (scene.random().nextInt(4)) {
            case 0, 1 -> client.threadLock();
            case 2 -> client.readWriteLock().readLock();
            default -> client.readWriteLock().writeLock();
        };
        String resource = lock.equals(client.threadLock()) ? Names.THREAD : Names.READ_WRITE;
        long floor = scene.floor(resource);
        if (take(scene, lock)) {
            boolean writes = lock.equals(client.readWriteLock().writeLock());
            stay(scene, client, lock, writes, floor);
        }
    }

    private static boolean take(Scene scene, ReentrantDistributedLock lock) throws InterruptedException {
        switch (scene.random().nextInt(4)) {
            case 0 -> lock.lock();
            case 1 -> {
                return lock.tryLock();
            }
            case 2 -> {
                return lock.tryLock(scene.random().nextInt(WAIT_MILLIS), TimeUnit.MILLISECONDS);
            }
            default ->
                scene.bell().interrupted(scene.random().nextInt(INTERRUPT_MICROS), () -> {
                    lock.lockInterruptibly();
                    return true;
                });
        }
        return true;
    }

    private static void stay(Scene scene, Client client, ReentrantDistributedLock lock, boolean writes, long floor) {
        Lease lease = lock.lease().orElseThrow();
        Stay stay = scene.enter(lease, floor);
        scene.work();
        if (scene.oneIn(4)) {
            // Again, by the thread that has it; and a writer may read.
            ReentrantDistributedLock again = writes ? client.readWriteLock().readLock() : lock;
            again.lock();
            try {
                scene.pause(SHORT_MICROS);
            } finally {
                again.unlock();
            }
        }
        scene.requireNotReleased(lease);
        stay.leave();
        try {
            lock.unlock();
        } catch (LeaseLostException lost) {
            if (!client.isClosing()) {
                throw lost;
            }
        }
    }
}
