package io.holdfast.simulation.use;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Takes permits of a semaphore, and several locks at once. */
final class PermitUser extends User {

    private static final int MOST_WAITS = 2;

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
            call("semaphore", () -> DistributedSemaphore.of(host.holdfast(), "x", 0), IllegalArgumentException.class);
            call("set", () -> MultiLock.of(host.holdfast(), List.of()), IllegalArgumentException.class);
        }
    }

    private DistributedSemaphore semaphore(LockOptions with) {
        DistributedSemaphore semaphore = DistributedSemaphore.of(host.holdfast(), Menu.SEMAPHORE, menu.permits(), with);
        if (semaphore.permits() != menu.permits()) {
            host.report(Rule.DOCUMENTED, semaphore + " has not " + menu.permits());
        }
        return semaphore;
    }

    private void askForPermit() {
        LockOptions with = menu.options(random);
        Host.Attempt attempt = host.begin();
        CompletableFuture<Lease> permit = semaphore(with).acquireAsync();
        waits.add(permit);
        await("semaphore.acquireAsync", permit, with, attempt);
    }

    private void takePermit() {
        LockOptions with = menu.options(random).toBuilder().waitLimit(menu.patience(random)).build();
        DistributedSemaphore semaphore = semaphore(with);
        Host.Attempt attempt = host.begin();
        Duration patience =
                random.nextBoolean() ? with.waitLimit() : with.waitLimit().plusMillis(200);
        Lease lease = switch (random.nextInt(3)) {
            case 0 -> interrupt("semaphore.acquire", patience, semaphore::acquire);
            case 1 -> interrupt("semaphore.acquire", patience, () -> semaphore.acquire(with.waitLimit()));
            default -> orNull(interrupt("semaphore.tryAcquire", patience, semaphore::tryAcquire));
        };
        if (lease != null) {
            got(attempt, lease, with);
        }
    }

    private void askForAll() {
        LockOptions with = menu.options(random);
        Host.Attempt attempt = host.begin();
        List<String> names = menu.several(random);
        CompletableFuture<MultiLease> all = MultiLock.of(host.holdfast(), names, with).acquireAsync();
        waits.add(all);
        mustEnd("set.acquireAsync", all, with, attempt);
        all.whenComplete((leases, failure) -> {
            if (leases != null) {
                got(attempt, leases, names, with);
            } else if (!(failure instanceof LeaseLostException)) {
                checkFailure("set.acquireAsync", failure);
            }
        });
    }

    private void takeAll() {
        LockOptions with = menu.options(random).toBuilder().waitLimit(menu.patience(random)).build();
        List<String> names = menu.several(random);
        MultiLock set = MultiLock.of(host.holdfast(), names, with);
        Host.Attempt attempt = host.begin();
        Duration patience =
                random.nextBoolean() ? with.waitLimit() : with.waitLimit().plusMillis(200);
        MultiLease leases = switch (random.nextInt(3)) {
            case 0 -> interrupt("set.acquire", patience, set::acquire);
            case 1 -> interrupt("set.acquire(limit)", patience, () -> set.acquire(with.waitLimit()));
            default -> orNull(interrupt("set.tryAcquire", patience, set::tryAcquire));
        };
        if (leases != null) {
            got(attempt, leases, names, with);
        }
    }

    private void got(Host.Attempt attempt, MultiLease leases, List<String> names, LockOptions with) {
        List<Host.Held> all = new ArrayList<>();
        for (Lease lease : leases.all()) {
            countGrant();
            all.add(attempt.granted(lease, with));
        }
        leases.onLost(loss -> {});
        check(leases, names);
        later(isStopping() ? Duration.ZERO : menu.stay(random), () -> close(leases, all));
    }

    private void check(MultiLease leases, List<String> names) {
        boolean known =
                names.stream().allMatch(name -> leases.of(name).resource().equals(name));
        if (!known || (!leases.isValid() && !leases.remaining().isZero())) {
            host.report(Rule.DOCUMENTED, leases + " contradict themselves");
        }
        if (host.mayBlock() && random.nextInt(4) == 0) {
            block(
                    "leases.ensure",
                    () -> {
                        leases.ensureValidFor(menu.extension(random));
                        return true;
                    },
                    LeaseLostException.class);
        }
    }

    private void close(MultiLease leases, List<Host.Held> all) {
        all.forEach(Host.Held::releasing);
        if (host.mayBlock()) {
            block("leases.close", () -> {
                leases.close();
                return true;
            });
        } else {
            leases.all().forEach(Lease::releaseAsync);
        }
    }

    @Override
    void leave() {
        List.copyOf(waits).forEach(wait -> wait.cancel(true));
        waits.clear();
    }
}
