package io.holdfast.stress.operation;

import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.ObservedHold;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Operations on leases that are extended, ensured or downgraded, and on one that has ended. */
public final class LongOperations implements Operation {

    private static final Duration LEASE = Duration.ofMillis(300);
    /** So short that the rounds to a real server barely fit. */
    private static final Duration TINY_LEASE = Duration.ofMillis(60);

    private static final LockOptions OPTIONS =
            LockOptions.builder().lease(LEASE).build();
    private static final long EXTENDED_MILLIS = 3 * LEASE.toMillis();
    /** A pause of the machine that makes a renewal come too late. */
    private static final long PAUSE_NANOS = LEASE.toNanos() / 6;

    private static final int READ_MILLIS = 200;

    @Override
    public void run(OperationContext context) throws InterruptedException, ExecutionException {
        Client client = context.client();
        DistributedLock readMostly = client.holdfast().lock(Names.READ_MOSTLY, OPTIONS);
        long floor = context.floor(Names.READ_MOSTLY);
        switch (context.random().nextInt(40)) {
            case 0 -> holdRenewed(context, client, lease -> lease.extend(Duration.ofMillis(EXTENDED_MILLIS)));
            case 1 -> holdRenewed(context, client, lease -> lease.ensureValidFor(LEASE.plusMillis(100)));
            case 2 -> downgrade(context, client, floor);
            case 3, 4, 5 -> ensureLost(context, client);
            case 6, 7, 8, 9, 10, 11 -> context.hold(client, readMostly.acquire(context.upToMillis(10)), floor);
            default -> context.hold(client, readMostly.shared().acquire(context.upToMillis(READ_MILLIS)), floor);
        }
    }

    private interface Extension {
        void extend(Lease lease);
    }

    /** Holds an uncontended lock on healthy nodes, where a lease with renewal must not be lost. */
    private static void holdRenewed(OperationContext context, Client client, Extension extension)
            throws InterruptedException, ExecutionException {
        DistributedLock lock = client.holdfast().lock(Names.UNCONTENDED + "renewed/" + context.worker(), OPTIONS);
        long floor = context.floor(lock.resource());
        long begun = System.nanoTime();
        Lease lease = lock.acquire();
        ObservedHold hold = context.enter(lease, floor);
        CompletableFuture<Loss> lost = lease.lossFuture();
        try {
            extension.extend(lease);
            LossReason reason = lost.get(EXTENDED_MILLIS + LEASE.toMillis(), TimeUnit.MILLISECONDS)
                    .reason();
            long pauseNanos = context.pauseDetector().longestNanosSince(begun);
            long lateNanos = context.pauseDetector().lateNanosSince(begun);
            long heldNanos = System.nanoTime() - begun;
            // If a thread waits for a processor most of the time, a renewal of so short a lease comes too late.
            boolean isExplained = pauseNanos > PAUSE_NANOS || lateNanos > heldNanos / 2;
            if (reason == LossReason.EXPIRED && !isExplained) {
                context.report(
                        Kind.LOST_WHILE_RENEWED,
                        "%s was lost after %d ms: the longest pause was %d ms, a thread waited %d ms for a processor"
                                .formatted(hold, millis(heldNanos), millis(pauseNanos), millis(lateNanos)));
            }
        } catch (TimeoutException stillHeld) {
            // This is expected.
        } catch (LeaseLostException notConfirmed) {
            // On a busy machine the nodes may not confirm the extension in time.
        } finally {
            context.release(client, lease, hold);
        }
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /**
     * Holds a downgraded lease beyond its configured length, while another reader comes and goes and a writer tries.
     */
    private static void downgrade(OperationContext context, Client client, long floor) throws InterruptedException {
        // A renewal would extend the shared hold, whatever the nodes had made of the downgrade.
        LockOptions options = OPTIONS.toBuilder().renewal(false).build();
        Lease lease = client.holdfast().lock(Names.READ_MOSTLY, options).acquire(Duration.ofSeconds(1));
        ObservedHold hold = context.enter(lease, floor);
        try {
            lease.extend(Duration.ofMillis(EXTENDED_MILLIS));
            hold.downgrade();
            lease.downgrade();
            Thread.sleep(LEASE.toMillis() * 4 / 3);
            Client other = context.clients().another(client, context.random());
            DistributedLock readMostly = other.holdfast().lock(Names.READ_MOSTLY, OPTIONS);
            visit(context, other, readMostly.shared());
            visit(context, other, readMostly);
        } catch (LeaseLostException lost) {
            // The machine was paused.
        } finally {
            context.release(client, lease, hold);
        }
    }

    private static void visit(OperationContext context, Client client, DistributedLock lock)
            throws InterruptedException {
        long floor = context.floor(lock.resource());
        try {
            context.hold(client, lock.acquire(Duration.ofMillis(50)), floor);
        } catch (HoldfastException refused) {
            // A writer is expected to fail here.
        }
    }

    private static void ensureLost(OperationContext context, Client client) throws InterruptedException {
        DistributedLock lock = client.holdfast()
                .lock(
                        Names.UNCONTENDED + "tiny/" + context.worker(),
                        OPTIONS.toBuilder().lease(TINY_LEASE).renewal(false).build());
        try (Lease lease = lock.acquire(Duration.ofSeconds(1))) {
            Thread.sleep(TINY_LEASE.toMillis());
            lease.ensureValidFor(Duration.ofMillis(1));
            context.report(Kind.UNEXPECTED, lease + " was ensured after its end");
        } catch (LeaseLostException expected) {
            // This is documented.
        }
    }
}
