package io.holdfast.simulation.use;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Held;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.simulation.world.Property;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Requests and releases whatever can be acquired, in all ways, for one user. */
final class Requests {

    private final User user;
    private final RandomGenerator random;

    Requests(User user) {
        this.user = user;
        this.random = user.random;
    }

    /** Receives what was granted, with the options under which it is held. */
    interface Receiver<H extends Held> {
        void receive(Host.Attempt attempt, H held, LockOptions with);
    }

    /** Requests it without blocking. The result may be cancelled. */
    <H extends Held> CompletableFuture<?> ask(Acquirable<H> from, Receiver<H> receiver) {
        Host.Attempt attempt = user.host.begin();
        LockOptions with = from.options();
        return switch (random.nextInt(6)) {
            case 0 -> tried(from, from.tryAcquireAsync(), attempt, waiting(with, Duration.ZERO), receiver);
            case 1 -> tried(from, from.tryAcquireAsync(with.waitLimit()), attempt, with, receiver);
            case 2 -> awaited(from, from.acquireAsync(with.waitLimit()), attempt, with, receiver);
            case 3 -> awaited(from, from.acquireAsync(with), attempt, with, receiver);
            default -> awaited(from, from.acquireAsync(), attempt, with, receiver);
        };
    }

    static LockOptions waiting(LockOptions options, Duration limit) {
        return options.toBuilder().waitLimit(limit).build();
    }

    private <H extends Held> CompletableFuture<H> awaited(
            Acquirable<H> from,
            CompletableFuture<H> asked,
            Host.Attempt attempt,
            LockOptions with,
            Receiver<H> receiver) {
        user.mustEnd(from + ".acquireAsync", asked, with, attempt);
        asked.whenComplete((held, failure) -> {
            if (held != null) {
                receiver.receive(attempt, held, with);
            } else {
                check(from, failure);
            }
        });
        return asked;
    }

    private <H extends Held> CompletableFuture<Optional<H>> tried(
            Acquirable<H> from,
            CompletableFuture<Optional<H>> asked,
            Host.Attempt attempt,
            LockOptions with,
            Receiver<H> receiver) {
        user.mustEnd(from + ".tryAcquireAsync", asked, with, attempt);
        asked.whenComplete((held, failure) -> {
            if (held != null) {
                held.ifPresent(granted -> receiver.receive(attempt, granted, with));
            } else if (failure instanceof LockTimeoutException) {
                user.host.report(
                        Property.DOCUMENTED, from + ".tryAcquireAsync failed because of contention: " + failure);
            } else {
                check(from, failure);
            }
        });
        return asked;
    }

    /**
     * Checks a failure. Only what consists of several leases, or is held to some depth, may be lost during a request.
     */
    private void check(Acquirable<?> from, @Nullable Throwable failure) {
        if (from instanceof DistributedLock || !(failure instanceof LeaseLostException)) {
            user.checkFailure("a request of " + from, failure);
        }
    }

    /** Requests it on this thread, which is interrupted after a while. */
    <H extends Held> void take(Acquirable<H> from, Duration callLimit, Receiver<H> receiver) {
        Host.Attempt attempt = user.host.begin();
        LockOptions with = from.options();
        H held = switch (random.nextInt(5)) {
            case 0 -> user.interrupt(from + ".acquire", callLimit, () -> from.acquire());
            case 1 -> user.interrupt(from + ".acquire(limit)", callLimit, () -> from.acquire(with.waitLimit()));
            case 2 -> user.interrupt(from + ".acquire(options)", callLimit, () -> from.acquire(with));
            case 3 ->
                User.orNull(user.interrupt(
                        from + ".tryAcquire(limit)", callLimit, () -> from.tryAcquire(with.waitLimit())));
            default -> User.orNull(user.interrupt(from + ".tryAcquire", callLimit, () -> from.tryAcquire()));
        };
        if (held != null) {
            receiver.receive(attempt, held, with);
        }
    }

    /** Runs a body under it, on this thread. The release at the end of the body ignores interrupts. */
    void run(Acquirable<?> from, Duration callLimit) {
        Body body = new Body();
        Boolean ran = switch (random.nextInt(4)) {
            case 0 -> user.interrupt(from + ".call", callLimit, () -> from.call(body::run));
            case 1 ->
                user.interrupt(from + ".run", callLimit, () -> {
                    from.run(body::run);
                    return true;
                });
            case 2 ->
                user.interrupt(
                        from + ".tryCall",
                        callLimit,
                        () -> from.tryCall(body::run).isPresent());
            default -> user.interrupt(from + ".tryRun", callLimit, () -> from.tryRun(body::run));
        };
        if (ran != null && ran != body.ran) {
            user.host.report(Property.DOCUMENTED, from + " ran the body: " + body.ran + ", and returned " + ran);
        }
    }

    private static final class Body {

        private boolean ran;

        boolean run(Held held) {
            ran = held.isValid() || held.remaining().isZero();
            return ran;
        }
    }

    /** Checks what is held, and extends it. */
    void check(Held held) {
        held.onLost(loss -> {}).close();
        if (!held.isValid() && !held.remaining().isZero()) {
            user.host.report(Property.DOCUMENTED, held + " contradicts itself");
        }
        if (user.host.mayBlock() && random.nextInt(4) == 0) {
            user.block(
                    "ensureValidFor",
                    User.done(() -> held.ensureValidFor(user.menu.extension(random))),
                    LeaseLostException.class);
        }
    }

    /** Releases what is held. */
    void release(Held held) {
        switch (random.nextInt(user.host.mayBlock() ? 4 : 2)) {
            case 0 -> held.releaseAsync();
            case 1 -> held.finishAsync();
            case 2 -> user.block("close", User.done(held::close));
            default -> user.block("finish", User.done(held::finish), LeaseLostException.class);
        }
    }
}
