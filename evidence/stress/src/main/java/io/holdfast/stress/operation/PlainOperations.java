package io.holdfast.stress.operation;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.ObservedHold;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Blocking acquisitions: with time limits, exclusive and shared, interrupted, and released by two threads. */
public final class PlainOperations implements Operation {

    private static final int WAIT_MILLIS = 300;
    private static final int INTERRUPT_MICROS = 3_000;

    /**
     * The options by lock. All clients use the same options for a lock, so that it can be handed over within a client.
     */
    private static final List<LockOptions> OPTIONS = List.of(
            LockOptions.DEFAULT,
            LockOptions.builder().lease(Duration.ofSeconds(1)).fair(true).build(),
            LockOptions.builder().lease(Duration.ofMillis(300)).renewal(false).build());

    @Override
    public void run(OperationContext context) throws InterruptedException, ExecutionException {
        Client client = context.client();
        DistributedLock lock = anyLock(context, client);
        long floor = context.floor(lock.resource());
        switch (context.random().nextInt(5)) {
            case 0 -> context.hold(client, lock.acquire(context.upToMillis(WAIT_MILLIS)), floor);
            case 1 -> context.hold(client, lock.shared().acquire(context.upToMillis(WAIT_MILLIS)), floor);
            case 2 -> {
                Lease lease = lock.tryAcquire().orElse(null);
                if (lease != null) {
                    context.hold(client, lease, floor);
                }
            }
            case 3 -> context.hold(client, interrupted(context, lock), floor);
            default -> releaseTwice(context, lock.acquire(context.upToMillis(WAIT_MILLIS)), floor);
        }
    }

    private static DistributedLock anyLock(OperationContext context, Client client) {
        int which = context.random().nextInt(OPTIONS.size());
        return client.holdfast().lock(Names.PLAIN + which, OPTIONS.get(which));
    }

    private static Lease interrupted(OperationContext context, DistributedLock lock) throws InterruptedException {
        return context.background()
                .interrupted(
                        context.random().nextInt(INTERRUPT_MICROS), () -> lock.acquire(Duration.ofMillis(WAIT_MILLIS)));
    }

    private static void releaseTwice(OperationContext context, Lease lease, long floor)
            throws InterruptedException, ExecutionException {
        ObservedHold hold = context.enter(lease, floor);
        context.work();
        hold.leave();
        Future<?> other = context.background().submit(lease::close);
        ReleaseOutcome first = lease.release();
        other.get();
        if (first != lease.release()) {
            context.report(Kind.UNEXPECTED, "a second release of " + hold + " returned another outcome than " + first);
        }
    }
}
