package io.holdfast.simulation.use;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Acquires permits of a semaphore, and several locks at once. */
final class PermitUser extends User {

    private static final int MOST_WAITS = 3;
    /** The time of the releases after a body. */
    private static final Duration RELEASE = Duration.ofMillis(300);

    private final List<CompletableFuture<?>> waits = new ArrayList<>();
    private final Requests requests = new Requests(this);

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
            waits.add(requests.ask(semaphore(menu.options(random)), this::got));
        } else if (what < 9 && waits.size() < MOST_WAITS) {
            waits.add(requests.ask(multiLock(menu.options(random)), this::gotAll));
        } else if (what < 11 && host.mayBlock()) {
            take();
        } else if (what == 11) {
            call("semaphore", () -> DistributedSemaphore.of(host.holdfast(), "x", 0), IllegalArgumentException.class);
            call("multiLock", () -> MultiLock.of(host.holdfast(), List.of()), IllegalArgumentException.class);
        }
    }

    private DistributedSemaphore semaphore(LockOptions with) {
        DistributedSemaphore semaphore = DistributedSemaphore.of(host.holdfast(), Menu.SEMAPHORE, menu.permits(), with);
        if (semaphore.permits() != menu.permits()) {
            host.report(Property.DOCUMENTED, semaphore + " has not " + menu.permits());
        }
        return semaphore;
    }

    private MultiLock multiLock(LockOptions with) {
        MultiLock locks = MultiLock.of(host.holdfast(), menu.names(), with);
        if (locks.resources().size() != menu.names().size()) {
            host.report(Property.DOCUMENTED, locks + " are not all of " + menu.names());
        }
        return locks;
    }

    /** Uses both on this thread. */
    private void take() {
        LockOptions with = Requests.waiting(menu.options(random), menu.callLimit(random));
        Duration callLimit =
                random.nextBoolean() ? with.waitLimit() : with.waitLimit().plusMillis(200);
        switch (random.nextInt(5)) {
            case 0 -> requests.run(semaphore(with), callLimit.plus(RELEASE));
            case 1 -> requests.run(multiLock(with), callLimit.plus(RELEASE));
            case 2 -> requests.take(semaphore(with), callLimit, this::got);
            default -> requests.take(multiLock(with), callLimit, this::gotAll);
        }
    }

    private void gotAll(Host.Attempt attempt, MultiLease leases, LockOptions with) {
        List<ObservedLease> all = new ArrayList<>();
        for (Lease lease : leases.all()) {
            countGrant();
            all.add(attempt.granted(lease, with));
        }
        check(leases);
        later(isStopping() ? Duration.ZERO : menu.stay(random), () -> close(leases, all));
    }

    private void check(MultiLease leases) {
        String first = menu.names().get(0);
        if (!leases.of(first).resource().equals(first)) {
            host.report(Property.DOCUMENTED, leases + " have no lease of " + first);
        }
        requests.check(leases);
    }

    private void close(MultiLease leases, List<ObservedLease> all) {
        all.forEach(one -> host.report(to -> to.releasing(one)));
        if (random.nextInt(RELEASES_PER_RETENTION) == 0) {
            Duration keep = menu.retention(random);
            all.forEach(one -> host.report(to -> to.retaining(one, keep)));
            retain(leases, keep)
                    .thenRun(() -> all.forEach(
                            one -> one.lease().releaseAsync().thenAccept(outcome -> confirmRetention(one, outcome))));
        } else {
            requests.release(leases);
        }
    }

    private CompletableFuture<?> retain(MultiLease leases, Duration keep) {
        if (!host.mayBlock() || random.nextBoolean()) {
            return leases.releaseAsync(keep);
        }
        block("leases.release(keep)", done(() -> leases.release(keep)));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    void leave() {
        List.copyOf(waits).forEach(wait -> wait.cancel(true));
        waits.clear();
    }
}
