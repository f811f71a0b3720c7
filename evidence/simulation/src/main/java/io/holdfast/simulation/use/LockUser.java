package io.holdfast.simulation.use;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import io.holdfast.spi.LockInternals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/** Asks for locks and ends waits in all ways; performs every operation on the leases. */
final class LockUser extends User {

    private static final int MOST_WAITS = 3;
    private static final Duration LONGEST_HAND_OVER = Duration.ofNanos(200_000);

    /** The time of an acquisition's last round and of a release. */
    private static final Duration RELEASE = Duration.ofMillis(300);

    private final List<CompletableFuture<?>> waits = new ArrayList<>();
    private final LeaseUse use;
    private final Requests requests = new Requests(this);

    LockUser(Host host, Menu menu, RandomGenerator random) {
        super(host, menu, random);
        this.use = new LeaseUse(this);
    }

    @Override
    void act() {
        waits.removeIf(CompletableFuture::isDone);
        int what = random.nextInt(20);
        if (what < 5 && !held.isEmpty()) {
            ObservedLease one = held.get(random.nextInt(held.size()));
            use.use(one);
        } else if (what < 10 && !waits.isEmpty()) {
            end(waits.get(random.nextInt(waits.size())));
        } else if (what < 12 && host.mayBlock()) {
            acquire();
        } else if (what < 13) {
            askForTooLong();
        } else if (what < 15 && host.mayBlock()) {
            runBody();
        } else if (waits.size() < MOST_WAITS) {
            ask();
        }
    }

    private void ask() {
        DistributedLock lock = lock(menu.options(random));
        CompletableFuture<?> asked =
                requests.ask(waits.isEmpty() ? LockInternals.onLibraryThreads(lock) : lock, this::got);
        waits.add(asked);
        if (random.nextInt(4) == 0) {
            later(Menu.upToMillis(random, random.nextBoolean() ? 3 : 100), () -> end(asked));
        }
    }

    private DistributedLock lock(LockOptions with) {
        DistributedLock lock = host.holdfast().lock(menu.name(random), with);
        return random.nextInt(5) == 0 ? lock.shared() : lock;
    }

    private void runBody() {
        LockOptions with = Requests.waiting(menu.options(random), menu.callLimit(random));
        // The release at the end of the body must not be cut short: it ignores interrupts.
        requests.run(lock(with), with.waitLimit().plus(RELEASE));
    }

    /** The caller no longer wants the lock. */
    private void end(CompletableFuture<?> asked) {
        switch (random.nextInt(5)) {
            case 0 -> asked.completeExceptionally(new TimeoutException("the caller's own limit is over"));
            case 1 -> asked.complete(null);
            default -> asked.cancel(true);
        }
    }

    /**
     * Sometimes ends a wait soon after a lease was released. The wait may have been given that lease while its thread
     * has not begun.
     */
    @Override
    void afterLeaseEnded() {
        for (CompletableFuture<?> wait : waits) {
            if (random.nextInt(4) == 0) {
                later(Menu.upTo(random, LONGEST_HAND_OVER), () -> end(wait));
            }
        }
    }

    private void acquire() {
        LockOptions with = Requests.waiting(menu.options(random), menu.callLimit(random));
        requests.take(lock(with), callLimit(with), this::got);
    }

    /** Returns when to interrupt the caller: sometimes before its wait limit is over. */
    private Duration callLimit(LockOptions with) {
        return random.nextInt(3) == 0
                ? with.waitLimit().dividedBy(2)
                : with.waitLimit().plusMillis(120);
    }

    /** Checks that a lease longer than the maximum is refused in every kind of request. */
    private void askForTooLong() {
        LockOptions with = menu.tooLong(random);
        DistributedLock lock = host.holdfast().lock(menu.name(random), menu.base());
        CompletableFuture<Lease> asked =
                call("acquireAsync(too long)", () -> lock.acquireAsync(with), IllegalArgumentException.class);
        if (asked != null) {
            asked.thenAccept(lease -> {
                host.report(
                        Property.DOCUMENTED,
                        "a lease of " + with.lease() + " is granted, maxLease is " + menu.maxLease());
                lease.releaseAsync();
            });
            later(Duration.ofMillis(500), () -> asked.cancel(true));
        }
        call("lock(too long)", () -> host.holdfast().lock(menu.name(random), with), IllegalArgumentException.class);
    }

    @Override
    void leave() {
        waits.forEach(wait -> wait.cancel(true));
        waits.clear();
    }
}
