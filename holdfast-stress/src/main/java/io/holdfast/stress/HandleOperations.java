package io.holdfast.stress;

import io.holdfast.DetachedLease;
import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Stay;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Leases that are handed on: detached and closed, resumed twice, released after their handle was given. */
final class HandleOperations implements Operation {

    private static final int LOCKS = 2;
    private static final int WAIT_MILLIS = 300;
    private static final int STAY_MICROS = 6_000;
    private static final LockOptions OPTIONS = LockOptions.builder().lease(Duration.ofSeconds(2)).build();

    @Override
    public void run(Scene scene) throws InterruptedException, ExecutionException {
        Client client = scene.client();
        DistributedLock lock =
                client.holdfast().lock(Names.HANDLE + scene.random().nextInt(LOCKS), OPTIONS);
        long floor = scene.floor(lock.resource());
        Lease lease = lock.acquire(scene.upToMillis(WAIT_MILLIS));
        Stay stay = scene.enter(lease, floor);
        scene.pause(STAY_MICROS / 10);
        switch (scene.random().nextInt(5)) {
            case 0, 1 -> detach(scene, client, lease, stay);
            case 2 -> resumeTwice(scene, client, lease, stay);
            case 3 -> releaseAndResume(scene, client, lease, stay);
            default -> scene.release(client, lease, stay);
        }
    }

    /** The pattern that everybody writes: the lease is detached within a try statement, whose end closes it. */
    private static void detach(Scene scene, Client client, Lease lease, Stay stay) throws InterruptedException {
        long validUntil = Scene.validity(lease).getAsLong();
        stay.stepOut();
        DetachedLease handle = lease.detach();
        boolean closesFirst = scene.random().nextBoolean();
        if (closesFirst) {
            lease.close();
        }
        Lease resumed = attach(scene, client, handle, validUntil);
        if (resumed == null) {
            return;
        }
        Stay second = enterAgain(scene, resumed);
        if (!closesFirst) {
            lease.close();
        }
        scene.pause(STAY_MICROS);
        leave(scene, resumed, second);
    }

    /** By any client that is not being closed; null if the lease has ended. */
    private static @Nullable Lease attach(Scene scene, Client first, DetachedLease handle, long validUntil)
            throws InterruptedException {
        for (int i = 0; i < Clients.COUNT; i++) {
            Client next = scene.clients().another(first, scene.random());
            try {
                return next.holdfast().attach(handle, OPTIONS);
            } catch (LeaseLostException e) {
                if (validUntil - System.nanoTime() > 0) {
                    scene.report(Kind.LOST_ON_THE_WAY, handle.resource() + " token " + handle.fencingToken());
                }
                return null;
            } catch (IllegalStateException closed) {
                // Another client is in its place by now.
            }
        }
        return null;
    }

    private static void resumeTwice(Scene scene, Client client, Lease lease, Stay stay)
            throws InterruptedException, ExecutionException {
        DetachedLease handle = lease.handle();
        List<Client> holders = new CopyOnWriteArrayList<>(List.of(client));
        stay.stepOut();
        Stay together = enterTogether(scene, lease, System.nanoTime(), holders);
        Future<?> other = scene.bell().beside(() -> resumeFor(scene, holders, handle));
        resumeFor(scene, holders, handle);
        other.get();
        leave(scene, lease, together);
    }

    /** Stays beside the first holder. The first of them to release it ends it for all. */
    private static void resumeFor(Scene scene, List<Client> holders, DetachedLease handle) {
        long begun = System.nanoTime();
        Client client = scene.clients().another(holders.get(0), new Random(begun));
        holders.add(client);
        try (Lease lease = client.holdfast().attach(handle, OPTIONS)) {
            Stay stay = enterTogether(scene, lease, begun, holders);
            LockSupport.parkNanos(STAY_MICROS * 500L);
            leave(scene, lease, stay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (HoldfastException | IllegalStateException ended) {
            // The other one has released it, or the client is closed.
        }
    }

    /** A client that is closed releases the lock for the holders in other clients as well, who learn it later. */
    private static Stay enterTogether(Scene scene, Lease lease, long begun, List<Client> holders) {
        LongSupplier validity = Scene.validity(lease);
        return scene.witness().attach(lease.resource(), lease.fencingToken().value(), begun, lease.isShared(), () -> {
            long validUntil = validity.getAsLong();
            return holders.stream().anyMatch(Client::isClosing) ? System.nanoTime() : validUntil;
        });
    }

    /** The first to release it ends it for all who have the handle, also if a thread of the same client is next. */
    private static void releaseAndResume(Scene scene, Client client, Lease lease, Stay stay)
            throws InterruptedException {
        DetachedLease handle = lease.handle();
        leave(scene, lease, stay);
        long begun = System.nanoTime();
        Client other = scene.random().nextBoolean() ? client : scene.clients().another(client, scene.random());
        try (Lease resumed = other.holdfast().attach(handle, OPTIONS)) {
            Stay second = enterAgain(scene, resumed, begun);
            scene.pause(STAY_MICROS);
            leave(scene, resumed, second);
        } catch (LeaseLostException expected) {
            // As documented.
        }
    }

    private static Stay enterAgain(Scene scene, Lease lease) {
        return enterAgain(scene, lease, System.nanoTime());
    }

    private static Stay enterAgain(Scene scene, Lease lease, long begun) {
        return scene.witness()
                .attach(lease.resource(), lease.fencingToken().value(), begun, lease.isShared(), Scene.validity(lease));
    }

    /** Others may have a handle of it and have released it before. */
    private static void leave(Scene scene, Lease lease, Stay stay) {
        scene.requireNotReleased(lease);
        stay.leave();
        if (lease.release() == ReleaseOutcome.RELEASED) {
            stay.released();
        }
    }
}
