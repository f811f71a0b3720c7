package io.holdfast.simulation.use;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.Locks;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Acquires permits of a semaphore, and several locks at once. */
final class PermitUser extends User {

    private static final int MOST_WAITS = 3;

    private final List<CompletableFuture<?>> waits = new ArrayList<>();

    PermitUser(Host host, Menu menu, RandomGenerator random) {
        super(host, menu, random);
    }

    @Override
    void act() {
        waits.removeIf(CompletableFuture::isDone);
        int what = random.nextInt(12);
        if (what < 3 && !waits.isEmpty()) {
            waits.get(random.nextInt(waits.size())).cancel(true);
        } else if (what < 7 && waits.size() < MOST_WAITS) {
            askForPermit();
        } else if (what < 8 && host.mayBlock()) {
            takePermit();
        } else if (what < 10 && waits.size() < MOST_WAITS) {
            askForAll();
        } else if (what < 11 && host.mayBlock()) {
            takeAll();
        } else if (what == 11) {
            call("semaphore", () -> Locks.semaphore(host.holdfast(), "x", 0), IllegalArgumentException.class);
            call("multiLock", () -> Locks.multiLock(host.holdfast()), IllegalArgumentException.class);
        }
    }

    private DistributedSemaphore semaphore(LockOptions with) {
        DistributedSemaphore semaphore = random.nextBoolean()
                ? DistributedSemaphore.of(host.holdfast(), Menu.SEMAPHORE, menu.permits(), with)
                : Locks.semaphore(host.holdfast(), Menu.SEMAPHORE, menu.permits(), with);
        if (semaphore.permits() != menu.permits()) {
            host.report(Rule.DOCUMENTED, semaphore + " has not " + menu.permits());
        }
        return semaphore;
    }

    private void askForPermit() {
        LockOptions with = menu.options(random);
        Host.Attempt attempt = host.begin();
        DistributedSemaphore semaphore = semaphore(with);
        switch (random.nextInt(6)) {
            case 0 -> tryPermit(semaphore.tryAcquireAsync(), waiting(with, Duration.ZERO), attempt);
            case 1 -> tryPermit(semaphore.tryAcquireAsync(with.waitLimit()), with, attempt);
            case 2 -> awaitPermit(semaphore.acquireAsync(with.waitLimit()), with, attempt);
            case 3 -> awaitPermit(semaphore.acquireAsync(with), with, attempt);
            default -> awaitPermit(semaphore.acquireAsync(), with, attempt);
        }
    }

    private static LockOptions waiting(LockOptions options, Duration limit) {
        return options.toBuilder().waitLimit(limit).build();
    }

    private void awaitPermit(CompletableFuture<Lease> permit, LockOptions with, Host.Attempt attempt) {
        waits.add(permit);
        await("semaphore.acquireAsync", permit, with, attempt);
    }

    private void tryPermit(CompletableFuture<Optional<Lease>> permit, LockOptions with, Host.Attempt attempt) {
        waits.add(permit);
        mustEnd("semaphore.tryAcquireAsync", permit, with, attempt);
        permit.whenComplete((lease, failure) -> {
            if (failure != null) {
                checkRefusal("semaphore.tryAcquireAsync", failure);
            } else {
                lease.ifPresent(granted -> got(attempt, granted, with));
            }
        });
    }

    /** Checks that contention is no failure of a method that tries. */
    private void checkRefusal(String what, Throwable failure) {
        if (failure instanceof LockTimeoutException) {
            host.report(Rule.DOCUMENTED, what + " failed because of contention: " + failure);
        } else if (!(failure instanceof LeaseLostException)) {
            checkFailure(what, failure);
        }
    }

    private void takePermit() {
        LockOptions with = waiting(menu.options(random), menu.callLimit(random));
        DistributedSemaphore semaphore = semaphore(with);
        Host.Attempt attempt = host.begin();
        Duration callLimit =
                random.nextBoolean() ? with.waitLimit() : with.waitLimit().plusMillis(200);
        Lease lease = switch (random.nextInt(5)) {
            case 0 -> interrupt("semaphore.acquire", callLimit, () -> semaphore.acquire());
            case 1 -> interrupt("semaphore.acquire(limit)", callLimit, () -> semaphore.acquire(with.waitLimit()));
            case 2 -> interrupt("semaphore.acquire(options)", callLimit, () -> semaphore.acquire(with));
            case 3 ->
                orNull(interrupt(
                        "semaphore.tryAcquire(limit)", callLimit, () -> semaphore.tryAcquire(with.waitLimit())));
            default -> orNull(interrupt("semaphore.tryAcquire", callLimit, () -> semaphore.tryAcquire()));
        };
        if (lease != null) {
            got(attempt, lease, with);
        }
    }

    private void askForAll() {
        LockOptions with = menu.options(random);
        Host.Attempt attempt = host.begin();
        MultiLock locks = multiLock(with);
        switch (random.nextInt(6)) {
            case 0 -> tryAll(locks.tryAcquireAsync(), waiting(with, Duration.ZERO), attempt);
            case 1 -> tryAll(locks.tryAcquireAsync(with.waitLimit()), with, attempt);
            case 2 -> awaitAll(locks.acquireAsync(with.waitLimit()), with, attempt);
            case 3 -> awaitAll(locks.acquireAsync(with), with, attempt);
            default -> awaitAll(locks.acquireAsync(), with, attempt);
        }
    }

    private MultiLock multiLock(LockOptions with) {
        MultiLock locks = random.nextBoolean()
                ? MultiLock.of(host.holdfast(), menu.names(), with)
                : Locks.multiLock(host.holdfast(), menu.names(), with);
        if (locks.resources().size() != menu.names().size()) {
            host.report(Rule.DOCUMENTED, locks + " are not all of " + menu.names());
        }
        return locks;
    }

    private void awaitAll(CompletableFuture<MultiLease> all, LockOptions with, Host.Attempt attempt) {
        waits.add(all);
        mustEnd("multiLock.acquireAsync", all, with, attempt);
        all.whenComplete((leases, failure) -> {
            if (leases != null) {
                got(attempt, leases, with);
            } else if (!(failure instanceof LeaseLostException)) {
                checkFailure("multiLock.acquireAsync", failure);
            }
        });
    }

    private void tryAll(CompletableFuture<Optional<MultiLease>> all, LockOptions with, Host.Attempt attempt) {
        waits.add(all);
        mustEnd("multiLock.tryAcquireAsync", all, with, attempt);
        all.whenComplete((leases, failure) -> {
            if (failure != null) {
                checkRefusal("multiLock.tryAcquireAsync", failure);
            } else {
                leases.ifPresent(granted -> got(attempt, granted, with));
            }
        });
    }

    private void takeAll() {
        LockOptions with = waiting(menu.options(random), menu.callLimit(random));
        MultiLock locks = multiLock(with);
        Host.Attempt attempt = host.begin();
        Duration callLimit =
                random.nextBoolean() ? with.waitLimit() : with.waitLimit().plusMillis(200);
        MultiLease leases = switch (random.nextInt(5)) {
            case 0 -> interrupt("multiLock.acquire", callLimit, () -> locks.acquire());
            case 1 -> interrupt("multiLock.acquire(limit)", callLimit, () -> locks.acquire(with.waitLimit()));
            case 2 -> interrupt("multiLock.acquire(options)", callLimit, () -> locks.acquire(with));
            case 3 ->
                orNull(interrupt("multiLock.tryAcquire(limit)", callLimit, () -> locks.tryAcquire(with.waitLimit())));
            default -> orNull(interrupt("multiLock.tryAcquire", callLimit, () -> locks.tryAcquire()));
        };
        if (leases != null) {
            got(attempt, leases, with);
        }
    }

    private void got(Host.Attempt attempt, MultiLease leases, LockOptions with) {
        List<Host.Held> all = new ArrayList<>();
        for (Lease lease : leases.all()) {
            countGrant();
            all.add(attempt.granted(lease, with));
        }
        leases.onLost(loss -> {});
        check(leases);
        later(isStopping() ? Duration.ZERO : menu.stay(random), () -> close(leases, all));
    }

    private void check(MultiLease leases) {
        boolean known =
                leases.of(menu.names().get(0)).resource().equals(menu.names().get(0));
        if (!known || (!leases.isValid() && !leases.remaining().isZero())) {
            host.report(Rule.DOCUMENTED, leases + " contradict themselves");
        }
        if (host.mayBlock() && random.nextInt(4) == 0) {
            block(
                    "leases.ensureValidFor",
                    () -> {
                        leases.ensureValidFor(menu.extension(random));
                        return true;
                    },
                    LeaseLostException.class);
        }
    }

    private void close(MultiLease leases, List<Host.Held> all) {
        all.forEach(Host.Held::releasing);
        if (random.nextInt(RELEASES_PER_RETENTION) == 0) {
            Duration keep = menu.retention(random);
            all.forEach(one -> one.retaining(keep));
            retain(leases, keep)
                    .thenRun(() -> all.forEach(
                            one -> one.lease().releaseAsync().thenAccept(outcome -> confirmRetention(one, outcome))));
        } else if (host.mayBlock()) {
            block("leases.close", () -> {
                leases.close();
                return true;
            });
        } else {
            leases.releaseAsync();
        }
    }

    private CompletableFuture<?> retain(MultiLease leases, Duration keep) {
        if (!host.mayBlock() || random.nextBoolean()) {
            return leases.releaseAsync(keep);
        }
        block("leases.release(keep)", () -> {
            leases.release(keep);
            return true;
        });
        return CompletableFuture.completedFuture(null);
    }

    @Override
    void leave() {
        List.copyOf(waits).forEach(wait -> wait.cancel(true));
        waits.clear();
    }
}
