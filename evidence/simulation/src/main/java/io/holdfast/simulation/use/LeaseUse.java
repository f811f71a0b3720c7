package io.holdfast.simulation.use;

import io.holdfast.DetachedLease;
import io.holdfast.HeldRecord;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.event.Registration;
import io.holdfast.lease.Owner;
import io.holdfast.record.LockRecord;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** All operations on a lease, whether it is held, lost, released or detached. */
final class LeaseUse {

    private final User user;
    private final Host host;
    private final Menu menu;
    private final RandomGenerator random;
    private final Set<Owner> handed = new HashSet<>();

    LeaseUse(User user) {
        this.user = user;
        this.host = user.host;
        this.menu = user.menu;
        this.random = user.random;
    }

    void use(ObservedLease one) {
        if (host.mayBlock() && random.nextInt(4) == 0) {
            useBlocking(one);
            return;
        }
        Lease lease = one.lease();
        switch (random.nextInt(10)) {
            case 0, 1 -> extend(one);
            case 2 -> downgrade(one);
            case 3 -> {
                extend(one);
                downgrade(one);
            }
            case 4, 5 -> share(one);
            case 6, 7 -> detach(one);
            case 8 -> {
                inspect(one);
                limit(one);
            }
            default -> {
                Registration registration = lease.onLost(loss -> {});
                if (random.nextBoolean()) {
                    registration.close();
                }
                lease.lossFuture().thenAccept(loss -> {});
                user.endLease(one);
            }
        }
    }

    private void extend(ObservedLease one) {
        Duration duration = random.nextInt(20) == 0 ? menu.maxLease().plusNanos(1) : menu.extension(random);
        if (duration.compareTo(one.options().lease()) > 0 && random.nextInt(3) == 0) {
            user.keepLonger(one);
        }
        user.call(
                "extendAsync",
                () -> one.lease().extendAsync(duration).whenComplete((extended, failure) -> {
                    if (failure != null) {
                        user.check("extendAsync", cause(failure), LeaseLostException.class);
                    }
                }),
                IllegalArgumentException.class,
                LeaseLostException.class);
    }

    /** Moves the hold limit, never beyond the limit of the options, which the checkers use. */
    private void limit(ObservedLease one) {
        Lease lease = one.lease();
        Duration limit = one.options().holdLimit();
        user.call(
                "limit",
                User.done(() -> lease.limit(limit.equals(LockOptions.FOREVER) ? limit : lease.remaining())),
                LeaseLostException.class);
    }

    /** Downgrades the lease, unless another user has the handle and would continue to treat it as exclusive. */
    private void downgrade(ObservedLease one) {
        if (handed.contains(one.lease().owner())) {
            return;
        }
        user.call(
                "downgradeAsync",
                () -> one.lease().downgradeAsync().exceptionally(lost -> false),
                LeaseLostException.class);
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : cause;
    }

    private void useBlocking(ObservedLease one) {
        Lease lease = one.lease();
        switch (random.nextInt(6)) {
            case 0 -> user.block("extend", () -> lease.extend(menu.extension(random)), LeaseLostException.class);
            case 1, 2 ->
                user.block(
                        "ensure",
                        User.done(() -> lease.ensureValidFor(menu.extension(random))),
                        LeaseLostException.class);
            case 3, 4 -> leaveRecord(one);
            default -> {
                leaveRecord(one);
                if (!handed.contains(lease.owner())) {
                    user.block("downgrade", lease::downgrade, LeaseLostException.class);
                }
            }
        }
    }

    /** Reads the record beside the lock, which consists of the token of its writer, and leaves another one. */
    private void leaveRecord(ObservedLease one) {
        Lease lease = one.lease();
        if (lease.isShared() || handed.contains(lease.owner())) {
            return;
        }
        HeldRecord record = lease.record();
        host.report(to -> to.readingRecord(one));
        boolean isAsync = lease.fencingToken().value() % 2 == 0;
        LockRecord read = user.block("read the record", () -> isAsync ? join(record.readAsync()) : record.read());
        if (read == null) {
            return;
        }
        host.report(to -> to.recordRead(one, read));
        boolean isTorn = read.isPresent() && !read.text().equals(read.fence().toString());
        boolean isLater = read.fence().isAbove(lease.fencingToken()) && lease.isValid();
        if (isTorn || isLater) {
            host.report(Property.DOCUMENTED, lease + " finds " + read);
        }
        String text = lease.fencingToken().toString();
        Duration keep = Duration.ofHours(1);
        Boolean written = user.block(
                "write the record", () -> isAsync ? join(record.writeAsync(text, keep)) : record.write(text, keep));
        if (Boolean.TRUE.equals(written)) {
            host.report(to -> to.recordWritten(one));
        }
    }

    private <T> T join(CompletableFuture<T> future) {
        return ThreadWait.join(host.time()::await, future);
    }

    /** Gives the handle to another user while the lease continues here: both have it until one of them releases it. */
    private void share(ObservedLease one) {
        handed.add(one.lease().owner());
        DetachedLease handle = DetachedLease.parse(one.lease().handle().text());
        successor().attach(handle, one.options());
        if (random.nextInt(3) == 0) {
            successor().attach(handle, one.options());
        }
        if (random.nextBoolean()) {
            user.later(Menu.upToMillis(random, 20), () -> user.endLease(one));
        }
    }

    /** Detaches the lease: it ends here, and closing it changes nothing for the users that resume it. */
    private void detach(ObservedLease one) {
        Lease lease = one.lease();
        LockOptions options = one.options();
        DetachedLease handle = user.call("detach", lease::detach, LeaseLostException.class);
        if (handle == null) {
            return;
        }
        user.held.remove(one);
        host.report(to -> to.detached(one));
        if (random.nextBoolean()) {
            lease.releaseAsync();
        }
        if (host.mayBlock() && random.nextBoolean()) {
            user.block("close after detach", User.done(lease::close));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            successor().attach(handle, options);
        }
    }

    private Successor successor() {
        return new Successor(host.another(), menu, random);
    }

    private void inspect(ObservedLease one) {
        Lease lease = one.lease();
        boolean consistent = lease.handle().text().contains(lease.owner().token())
                && lease.handle().fencingToken().equals(lease.fencingToken())
                && lease.resource().equals(lease.handle().resource())
                && lease.lossMargin().compareTo(one.options().lease()) < 0
                && lease.handle().isShared() == lease.isShared();
        boolean ended = !lease.isValid() && !lease.remaining().isZero();
        if (!consistent || ended || lease.toString().contains(lease.owner().token())) {
            host.report(Property.DOCUMENTED, lease + " with " + lease.remaining() + " left contradicts itself");
        }
    }
}
