package io.holdfast.stress.operation;

import io.holdfast.DetachedLease;
import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Clients;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.ObservedHold;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations that detach a lease and close it, attach to it twice, or release it after another client has its handle.
 */
public final class DetachedLeaseOperations implements Operation {

    private static final int LOCKS = 2;
    private static final int WAIT_MILLIS = 300;
    private static final int HOLD_MICROS = 6_000;
    private static final LockOptions OPTIONS =
            LockOptions.builder().lease(Duration.ofSeconds(2)).build();

    @Override
    public void run(OperationContext context) throws InterruptedException, ExecutionException {
        Client client = context.client();
        DistributedLock lock =
                client.holdfast().lock(Names.DETACHED + context.random().nextInt(LOCKS), OPTIONS);
        long floor = context.floor(lock.resource());
        Lease lease = lock.acquire(context.upToMillis(WAIT_MILLIS));
        ObservedHold hold = context.enter(lease, floor);
        context.pause(HOLD_MICROS / 10);
        switch (context.random().nextInt(5)) {
            case 0, 1 -> detach(context, client, lease, hold);
            case 2 -> attachTwice(context, client, lease, hold);
            case 3 -> releaseAndAttach(context, client, lease, hold);
            default -> context.release(client, lease, hold);
        }
    }

    /** Detaches a lease inside a try statement, as users do, so that the lease is closed afterwards. */
    private static void detach(OperationContext context, Client client, Lease lease, ObservedHold hold)
            throws InterruptedException {
        long validUntil = OperationContext.validity(lease).getAsLong();
        hold.leaveSingle();
        DetachedLease handle = lease.detach();
        boolean closesFirst = context.random().nextBoolean();
        if (closesFirst) {
            lease.close();
        }
        Lease attached = attach(context, client, handle, validUntil);
        if (attached == null) {
            return;
        }
        ObservedHold second = enterAgain(context, attached);
        if (!closesFirst) {
            lease.close();
        }
        context.pause(HOLD_MICROS);
        leave(context, attached, second);
    }

    /** Attaches any client that is not being closed; returns null if the lease has ended. */
    private static @Nullable Lease attach(OperationContext context, Client first, DetachedLease handle, long validUntil)
            throws InterruptedException {
        for (int i = 0; i < Clients.COUNT; i++) {
            Client next = context.clients().another(first, context.random());
            try {
                return next.holdfast().attach(handle, OPTIONS);
            } catch (LeaseLostException e) {
                if (validUntil - System.nanoTime() > 0) {
                    context.report(Kind.LOST_WHILE_DETACHED, handle.resource() + " token " + handle.fencingToken());
                }
                return null;
            } catch (IllegalStateException closed) {
                // The client was closed and replaced meanwhile.
            }
        }
        return null;
    }

    private static void attachTwice(OperationContext context, Client client, Lease lease, ObservedHold hold)
            throws InterruptedException, ExecutionException {
        DetachedLease handle = lease.handle();
        List<Client> holders = new CopyOnWriteArrayList<>(List.of(client));
        hold.leaveSingle();
        ObservedHold shared = enterBeside(context, lease, System.nanoTime(), holders);
        Future<?> other = context.background().submit(() -> attachAndHold(context, holders, handle));
        attachAndHold(context, holders, handle);
        other.get();
        leave(context, lease, shared);
    }

    /** Attaches to the lease beside the first holder. The first release ends the lease for all of them. */
    private static void attachAndHold(OperationContext context, List<Client> holders, DetachedLease handle) {
        long begun = System.nanoTime();
        Client client = context.clients().another(holders.get(0), new Random(begun));
        holders.add(client);
        try (Lease lease = client.holdfast().attach(handle, OPTIONS)) {
            ObservedHold hold = enterBeside(context, lease, begun, holders);
            LockSupport.parkNanos(HOLD_MICROS * 500L);
            leave(context, lease, hold);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (HoldfastException | IllegalStateException ended) {
            // Another holder has released it, or the client is closed.
        }
    }

    /**
     * Reports an entry beside other holders. A client that is closed releases the lock for holders in other clients,
     * who learn it later.
     */
    private static ObservedHold enterBeside(OperationContext context, Lease lease, long begun, List<Client> holders) {
        LongSupplier validity = OperationContext.validity(lease);
        return context.witness().attach(lease.resource(), lease.fencingToken().value(), begun, lease.isShared(), () -> {
            long validUntil = validity.getAsLong();
            return holders.stream().anyMatch(Client::isClosing) ? System.nanoTime() : validUntil;
        });
    }

    /**
     * Checks that a release ends the lease for all clients that have its handle, even if a thread of the same client is
     * next.
     */
    private static void releaseAndAttach(OperationContext context, Client client, Lease lease, ObservedHold hold)
            throws InterruptedException {
        DetachedLease handle = lease.handle();
        leave(context, lease, hold);
        long begun = System.nanoTime();
        Client other =
                context.random().nextBoolean() ? client : context.clients().another(client, context.random());
        try (Lease attached = other.holdfast().attach(handle, OPTIONS)) {
            ObservedHold second = enterAgain(context, attached, begun);
            context.pause(HOLD_MICROS);
            leave(context, attached, second);
        } catch (LeaseLostException expected) {
            // This is documented.
        }
    }

    private static ObservedHold enterAgain(OperationContext context, Lease lease) {
        return enterAgain(context, lease, System.nanoTime());
    }

    private static ObservedHold enterAgain(OperationContext context, Lease lease, long begun) {
        return context.witness()
                .attach(
                        lease.resource(),
                        lease.fencingToken().value(),
                        begun,
                        lease.isShared(),
                        OperationContext.validity(lease));
    }

    /** Releases the lease, which another client with its handle may have released before. */
    private static void leave(OperationContext context, Lease lease, ObservedHold hold) {
        context.requireNotReleased(lease);
        hold.leave();
        if (lease.release() == ReleaseOutcome.RELEASED) {
            hold.released();
        }
    }
}
