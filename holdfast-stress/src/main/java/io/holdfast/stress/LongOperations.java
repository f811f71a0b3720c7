package io.holdfast.stress;

import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Stay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Leases that are made longer than they were asked for: extended, ensured, downgraded; and one that has ended. */
final class LongOperations implements Operation {

    private static final Duration LEASE = Duration.ofMillis(300);
    /** So short that the rounds of a real server just fit. */
    private static final Duration TINY_LEASE = Duration.ofMillis(60);

    private static final LockOptions OPTIONS = LockOptions.builder().lease(LEASE).build();
    private static final long EXTENDED_MILLIS = 3 * LEASE.toMillis();
    /** A pause of the machine that explains why a renewal came too late. */
    private static final long PAUSE_NANOS = LEASE.toNanos() / 6;

    private static final int READ_MILLIS = 200;

    @Override
    public void run(Scene scene) throws InterruptedException, ExecutionException {
        Client client = scene.client();
        DistributedLock wide = client.holdfast().lock(Names.WIDE, OPTIONS);
        long floor = scene.floor(Names.WIDE);
        switch (scene.random().nextInt(40)) {
            case 0 -> stayRenewed(scene, client, lease -> lease.extend(Duration.ofMillis(EXTENDED_MILLIS)));
            case 1 -> stayRenewed(scene, client, lease -> lease.ensureValidFor(LEASE.plusMillis(100)));
            case 2 -> downgrade(scene, client, floor);
            case 3, 4, 5 -> ensureLost(scene, client);
            case 6, 7, 8, 9, 10, 11 -> scene.stay(client, wide.acquire(scene.upToMillis(10)), floor);
            default -> scene.stay(client, wide.shared().acquire(scene.upToMillis(READ_MILLIS)), floor);
        }
    }

    private interface Longer {
        void extend(Lease lease);
    }

    /** Nobody else wants this lock, and the nodes are healthy: a lease with renewal has to last. */
    private static void stayRenewed(Scene scene, Client client, Longer longer)
            throws InterruptedException, ExecutionException {
        DistributedLock lock = client.holdfast().lock(Names.ALONE + "renewed/" + scene.worker(), OPTIONS);
        long floor = scene.floor(lock.resource());
        long begun = System.nanoTime();
        Lease lease = lock.acquire();
        Stay stay = scene.enter(lease, floor);
        CompletableFuture<Loss> lost = lease.lossFuture();
        try {
            longer.extend(lease);
            LossReason reason = lost.get(EXTENDED_MILLIS + LEASE.toMillis(), TimeUnit.MILLISECONDS)
                    .reason();
            boolean paused = scene.pulse().longestNanosSince(begun) > PAUSE_NANOS;
            if (reason == LossReason.EXPIRED && !paused) {
                scene.report(Kind.LOST_WHILE_RENEWED, stay + " was lost: " + reason);
            }
        } catch (TimeoutException stillHeld) {
            // As it should be.
        } catch (LeaseLostException notConfirmed) {
            // On a busy machine the nodes may not confirm the extension in time.
        } finally {
            scene.release(client, lease, stay);
        }
    }

    /** A reader whose lease is longer than its terms: beyond those, another reader comes and goes, and a writer tries. */
    private static void downgrade(Scene scene, Client client, long floor) throws InterruptedException {
        // A renewal would prolong the share, whatever the nodes had made of the downgrade.
        LockOptions terms = OPTIONS.toBuilder().renewal(false).build();
        Lease lease = client.holdfast().lock(Names.WIDE, terms).acquire(Duration.ofSeconds(1));
        Stay stay = scene.enter(lease, floor);
        try {
            lease.extend(Duration.ofMillis(EXTENDED_MILLIS));
            stay.share();
            lease.downgrade();
            Thread.sleep(LEASE.toMillis() * 4 / 3);
            Client other = scene.clients().another(client, scene.random());
            DistributedLock wide = other.holdfast().lock(Names.WIDE, OPTIONS);
            visit(scene, other, wide.shared());
            visit(scene, other, wide);
        } catch (LeaseLostException lost) {
            // The machine stood still.
        } finally {
            scene.release(client, lease, stay);
        }
    }

    private static void visit(Scene scene, Client client, DistributedLock lock) throws InterruptedException {
        long floor = scene.floor(lock.resource());
        try {
            scene.stay(client, lock.acquire(Duration.ofMillis(50)), floor);
        } catch (HoldfastException refused) {
            // As a writer should be here.
        }
    }

    private static void ensureLost(Scene scene, Client client) throws InterruptedException {
        DistributedLock lock = client.holdfast()
                .lock(
                        Names.ALONE + "tiny/" + scene.worker(),
                        OPTIONS.toBuilder().lease(TINY_LEASE).renewal(false).build());
        try (Lease lease = lock.acquire(Duration.ofSeconds(1))) {
            Thread.sleep(TINY_LEASE.toMillis());
            lease.ensureValidFor(Duration.ofMillis(1));
            scene.report(Kind.UNEXPECTED, lease + " was ensured after its end");
        } catch (LeaseLostException expected) {
            // As documented.
        }
    }
}
