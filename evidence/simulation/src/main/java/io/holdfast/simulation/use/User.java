package io.holdfast.simulation.use;

import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.ProcessEnded;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.WaitEnded;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One user: repeats an action until it is stopped, then releases all its leases. */
abstract class User {

    /** The time after its limit within which a wait must end: a last round, and threads that begin late. */
    private static final Duration GRACE = Duration.ofSeconds(3);

    /** A request that does not wait asks again so often after collisions, each time after a retry delay. */
    private static final int MOST_COLLISIONS = 10;

    private static final Duration ENDLESS = Duration.ofHours(1);
    private static final int PAUSE_MILLIS = 50;
    static final int RELEASES_PER_RETENTION = 4;

    /** The approximate number of pauses before a user asks again after the nodes did not reply. */
    private static final int PAUSES_WITHOUT_NODES = 8;

    final Host host;
    final Menu menu;
    final RandomGenerator random;
    final List<ObservedLease> held = new ArrayList<>();
    private final Set<ObservedLease> longer = new HashSet<>();
    private boolean stopping;
    private boolean awake;
    private int pauses;
    private long granted;

    User(Host host, Menu menu, RandomGenerator random) {
        this.host = host;
        this.menu = menu;
        this.random = random;
    }

    /** Performs one action. */
    abstract void act();

    /** Called after a lease of the user was released. */
    void afterLeaseEnded() {}

    /** Ends all pending work, except the leases that it holds. */
    void leave() {}

    final void begin() {
        stopping = false;
        if (!awake) {
            awake = true;
            later(Menu.upToMillis(random, PAUSE_MILLIS), this::turn);
        }
    }

    final void stop() {
        stopping = true;
    }

    final boolean isStopping() {
        return stopping;
    }

    final long granted() {
        return granted;
    }

    private void turn() {
        if (stopping) {
            awake = false;
            tryTo("leave", this::leave);
            List.copyOf(held).forEach(this::endLease);
            return;
        }
        if (pauses > 0) {
            pauses--;
        } else {
            tryTo("act", this::act);
        }
        later(Menu.upToMillis(random, random.nextInt(10) == 0 ? 10 * PAUSE_MILLIS : PAUSE_MILLIS), this::turn);
    }

    final void later(Duration delay, Runnable task) {
        host.time().schedule(delay, task);
    }

    private void tryTo(String what, Runnable task) {
        call(what, done(task));
    }

    /** Returns a call that performs the task, and whose result is true. */
    static Callable<Boolean> done(Runnable task) {
        return () -> {
            task.run();
            return true;
        };
    }

    /** Makes a call that throws only these exceptions; returns null if it has thrown one. */
    @SafeVarargs
    final <T> @Nullable T call(String what, Callable<T> call, Class<? extends Throwable>... documented) {
        try {
            return call.call();
        } catch (ProcessEnded ended) {
            throw ended;
        } catch (Throwable thrown) {
            check(what, thrown, documented);
            return null;
        }
    }

    @SafeVarargs
    final void check(String what, Throwable thrown, Class<? extends Throwable>... documented) {
        for (Class<? extends Throwable> one : documented) {
            if (one.isInstance(thrown)) {
                return;
            }
        }
        host.report(Property.DOCUMENTED, getClass().getSimpleName() + ": " + what + " threw " + thrown);
    }

    final void checkFailure(String what, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException e ? HoldfastException.from(e) : failure;
        if (cause instanceof QuorumUnreachableException) {
            pauses = PAUSES_WITHOUT_NODES;
        }
        if (cause != null && !OptionUse.isInformative(cause)) {
            host.report(Property.DOCUMENTED, what + " failed, and does not say why: " + cause);
        } else if (cause != null) {
            check(
                    what,
                    cause,
                    LockTimeoutException.class,
                    QuorumUnreachableException.class,
                    CancellationException.class,
                    TimeoutException.class,
                    IllegalStateException.class);
        }
    }

    /** Checks that the wait ends in time, whatever it waits for. */
    final void mustEnd(String what, CompletableFuture<?> asked, LockOptions with, Host.Attempt attempt) {
        Duration limit = with.waitLimit();
        Duration delay = Durations.shorter(with.retryDelayLimit(), ENDLESS);
        Duration grace = limit.isZero() ? GRACE.plus(delay.multipliedBy(MOST_COLLISIONS)) : GRACE;
        if (limit.compareTo(ENDLESS) <= 0) {
            later(limit.plus(grace), () -> {
                if (!asked.isDone() && attempt.isUndisturbed()) {
                    host.report(Property.WAIT_ENDS, what + " still waits " + grace + " after its limit of " + limit);
                }
            });
        }
    }

    /** Records a granted lease and holds it for a while. */
    final ObservedLease got(Host.Attempt attempt, Lease lease, LockOptions with) {
        ObservedLease one = attempt.granted(lease, with);
        keep(one);
        return one;
    }

    final void keep(ObservedLease one) {
        granted++;
        held.add(one);
        if (one.lease().state().isValid()) {
            host.relied(one);
            if (random.nextInt(40) == 0) {
                // The extension is as long as possible; afterwards renewal keeps the lease.
                one.lease().extendAsync(menu.maxLease()).exceptionally(lost -> false);
                keepLonger(one);
            }
        }
        later(stopping ? Duration.ZERO : menu.stay(random), () -> endLease(one));
    }

    /** Counts a lease that is released elsewhere. */
    final void countGrant() {
        granted++;
    }

    /** Holds an extended lease until the extension is over, and after that. */
    final void keepLonger(ObservedLease one) {
        longer.add(one);
    }

    /** Ends a lease in one of all ways, unless it has ended already. */
    final void endLease(ObservedLease one) {
        if (!stopping && longer.remove(one)) {
            later(menu.maxLease().plus(menu.base().lease()), () -> endLease(one));
            return;
        } else if (!held.remove(one)) {
            return;
        }
        longer.remove(one);
        if (one.lease().state().isValid()) {
            host.relied(one);
        }
        host.report(to -> to.releasing(one));
        Lease lease = one.lease();
        switch (host.mayBlock() ? random.nextInt(8) : random.nextInt(4)) {
            case 0 -> {
                note(one, lease);
                note(one, lease);
            }
            case 4 -> new Requests(this).release(lease);
            case 5 -> {
                ReleaseOutcome outcome = block("release", lease::release);
                if (outcome == ReleaseOutcome.RELEASED) {
                    host.report(to -> to.released(one));
                }
            }
            case 1, 6 -> retain(one, lease);
            default -> note(one, lease);
        }
        afterLeaseEnded();
    }

    private void retain(ObservedLease one, Lease lease) {
        if (random.nextInt(RELEASES_PER_RETENTION) > 0) {
            note(one, lease);
            return;
        }
        Duration tooLong = menu.maxLease().plusNanos(1);
        if (call("too long", () -> lease.releaseAsync(tooLong), IllegalArgumentException.class) != null) {
            host.report(Property.DOCUMENTED, "the nodes may keep a lock for " + tooLong);
        }
        Duration keep = menu.retention(random);
        host.report(to -> to.retaining(one, keep));
        if (host.mayBlock() && random.nextBoolean()) {
            confirmRetention(one, block("release(keep)", () -> lease.release(keep)));
        } else {
            lease.releaseAsync(keep).thenAccept(outcome -> confirmRetention(one, outcome));
        }
    }

    final void confirmRetention(ObservedLease one, @Nullable ReleaseOutcome outcome) {
        if (outcome == ReleaseOutcome.RELEASED) {
            host.report(to -> to.retained(one));
            host.report(to -> to.released(one));
        }
    }

    private void note(ObservedLease one, Lease lease) {
        lease.releaseAsync().thenAccept(outcome -> {
            if (outcome == ReleaseOutcome.RELEASED) {
                host.report(to -> to.released(one));
            }
        });
    }

    /** Makes a call of one round. */
    @SafeVarargs
    final <T> @Nullable T block(String what, Callable<T> call, Class<? extends Throwable>... documented) {
        return call(what, () -> host.block(Duration.ofMillis(510), call), documented);
    }

    /** Returns the result, or null if the call has failed. */
    @SuppressWarnings("NullableOptional")
    static <T> @Nullable T orNull(@Nullable Optional<T> one) {
        return one != null && one.isPresent() ? one.get() : null;
    }

    /** Makes a call that waits for a lock; it is interrupted, or ended by an error, after a while. */
    final <T> @Nullable T interrupt(String what, Duration after, Callable<T> call) {
        return call(
                what,
                () -> host.interrupt(after, call),
                InterruptedException.class,
                WaitEnded.class,
                HoldfastException.class,
                IllegalStateException.class);
    }
}
