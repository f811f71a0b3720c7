package io.holdfast.simulation.use;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.locks.OwnedLease;
import io.holdfast.locks.OwnedLock;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.locks.ReentrantDistributedReadWriteLock;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** Uses the locks that are owned by a thread, one operation after another. */
final class ThreadUser extends User {

    private static final Duration CALL_LIMIT = Duration.ofMillis(120);
    private static final Duration ROUND = Duration.ofMillis(80);
    private static final String ME = "me";
    private static final String OTHER = "other";

    private final Requests requests = new Requests(this);
    private int count;

    ThreadUser(Host host, Menu menu, RandomGenerator random) {
        super(host, menu, random);
    }

    @Override
    void act() {
        LockOptions with =
                menu.base().toBuilder().waitLimit(menu.callLimit(random)).build();
        DistributedLock lock = host.holdfast().lock(menu.name(random), with);
        if (random.nextInt(3) == 0) {
            ownAsync(OwnedLock.of(lock));
        } else if (host.mayBlock()) {
            switch (random.nextInt(3)) {
                case 0 -> own(OwnedLock.of(lock));
                case 1 -> lock(ReentrantDistributedLock.of(lock).alongside(new ReentrantLock()), with);
                default -> readAndWrite(ReentrantDistributedReadWriteLock.of(lock), with);
            }
        }
    }

    private void ownAsync(OwnedLock lock) {
        Acquirable<OwnedLease> mine = lock.by(ME + count++);
        CompletableFuture<?> asked = requests.ask(mine, (attempt, held, with) -> got(attempt, held.lease(), with));
        if (random.nextInt(3) == 0) {
            later(Menu.upToMillis(random, 20), () -> {
                asked.cancel(true);
                CompletableFuture<OwnedLease> again = call("acquireAsync again", () -> mine.acquireAsync());
                if (again != null) {
                    again.cancel(true);
                }
            });
        }
    }

    private void own(OwnedLock lock) {
        if (random.nextInt(4) == 0) {
            requests.run(lock.by(ME), CALL_LIMIT.plus(ROUND));
        } else {
            requests.take(lock.by(ME), CALL_LIMIT, (attempt, held, with) -> own(lock, attempt, held, with));
        }
        if (lock.depth(ME) != 0 || lock.lease(ME).isPresent() || lock.isHeld(ME)) {
            host.report(Property.DOCUMENTED, lock + " still has an owner");
        }
    }

    private void own(OwnedLock lock, Host.Attempt attempt, OwnedLease held, LockOptions with) {
        OwnedLease again = interrupt("acquire again", ROUND, () -> lock.by(ME).acquire());
        if (lock.lease(ME).isEmpty() || lock.depth(ME) != (again == null ? 1 : 2)) {
            host.report(Property.DOCUMENTED, lock + " does not know its owner");
        }
        ObservedLease one = hold(attempt, held.lease(), with);
        block("release by another", done(() -> lock.release(OTHER)), IllegalMonitorStateException.class);
        requests.check(held);
        if (again != null) {
            requests.release(again);
        }
        host.report(to -> to.releasing(one));
        if (random.nextBoolean()) {
            requests.release(held);
        } else {
            block("owned.release", done(() -> lock.release(ME)), LeaseLostException.class);
        }
    }

    /** Holds the lease for a moment. */
    private ObservedLease hold(Host.Attempt attempt, Lease lease, LockOptions with) {
        ObservedLease one = attempt.granted(lease, with);
        countGrant();
        if (lease.state().isValid()) {
            host.relied(one);
        }
        host.pass(Menu.upToMillis(random, random.nextInt(8) == 0 ? 300 : 10));
        return one;
    }

    private void lock(ReentrantDistributedLock lock, LockOptions with) {
        Host.Attempt attempt = host.begin();
        if (enter(lock)) {
            Optional<Lease> lease = lock.lease();
            if (lease.isEmpty() || lock.holdCount() == 0) {
                host.report(Property.DOCUMENTED, lock + " is locked and has no lease");
                return;
            }
            ObservedLease one = hold(attempt, lease.get(), with);
            boolean held = lock.isHeldByCurrentThread();
            if (!held && lease.get().state().isValid()) {
                host.report(Property.DOCUMENTED, lock + " does not know that it is held");
            }
            // The call has no limit, so it is made only where it need not wait.
            boolean again = block("lock again", done(lock::lock), LeaseLostException.class) != null;
            if (again) {
                unlock(lock);
            }
            host.report(to -> to.releasing(one));
            unlock(lock);
        }
        call("newCondition", lock::newCondition, UnsupportedOperationException.class);
        block("unlock", done(lock::unlock), IllegalMonitorStateException.class, LeaseLostException.class);
    }

    private boolean enter(ReentrantDistributedLock lock) {
        Boolean entered = switch (random.nextInt(4)) {
            case 0 ->
                interrupt("lockInterruptibly", CALL_LIMIT, () -> {
                    lock.lockInterruptibly();
                    return true;
                });
            case 1 -> interrupt("tryLock", ROUND, lock::tryLock);
            default ->
                interrupt(
                        "tryLock(time)",
                        CALL_LIMIT,
                        () -> lock.tryLock(random.nextInt(300) - 10L, TimeUnit.MILLISECONDS));
        };
        return entered != null && entered;
    }

    private void unlock(ReentrantDistributedLock lock) {
        block("unlock", done(lock::unlock), LeaseLostException.class);
    }

    private void readAndWrite(ReentrantDistributedReadWriteLock locks, LockOptions with) {
        Host.Attempt attempt = host.begin();
        ReentrantDistributedLock first = random.nextBoolean() ? locks.writeLock() : locks.readLock();
        if (!enter(first)) {
            return;
        }
        Lease lease = first.lease().orElseThrow();
        ObservedLease one = hold(attempt, lease, with);
        boolean writes = first.equals(locks.writeLock());
        Boolean reads = interrupt("read within write", CALL_LIMIT, locks.readLock()::tryLock);
        if (!writes) {
            call("write within read", () -> locks.writeLock().tryLock(), IllegalStateException.class);
        } else if (reads != null && reads) {
            unlock(locks.writeLock());
            host.pass(Menu.upToMillis(random, 10));
        }
        host.report(to -> to.releasing(one));
        if (writes && (reads == null || !reads)) {
            unlock(locks.writeLock());
        }
        while (locks.readLock().holdCount() > 0) {
            block("read unlock", done(locks.readLock()::unlock), HoldfastException.class);
        }
    }
}
