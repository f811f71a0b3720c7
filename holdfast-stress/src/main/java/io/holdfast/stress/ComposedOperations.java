package io.holdfast.stress;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.Locks;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.stress.witness.Stay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What is made of several locks: a semaphore, and sets of locks. */
final class ComposedOperations implements Operation {

    private static final int PERMITS = 3;
    private static final int SETS_OF = 4;
    private static final int WAIT_MILLIS = 300;
    private static final int CANCEL_MICROS = 3_000;
    private static final LockOptions OPTIONS = LockOptions.DEFAULT.withWaitLimit(Duration.ofSeconds(1));
    /** So short that one of a set ends while another is waited for. */
    private static final LockOptions TINY =
            OPTIONS.withLease(Duration.ofMillis(80)).withRenewal(false);

    @Override
    public void run(Scene scene) throws InterruptedException, ExecutionException {
        Client client = scene.client();
        if (scene.random().nextBoolean()) {
            semaphore(scene, client);
        } else {
            lockSet(scene, client);
        }
    }

    private static void semaphore(Scene scene, Client client) throws InterruptedException, ExecutionException {
        DistributedSemaphore semaphore = Locks.semaphore(client.holdfast(), Names.POOL, PERMITS, OPTIONS);
        Map<String, Long> floors = new HashMap<>();
        IntStream.rangeClosed(1, PERMITS)
                .mapToObj(slot -> Names.POOL + "/" + slot)
                .forEach(slot -> floors.put(slot, scene.floor(slot)));
        Lease lease = switch (scene.random().nextInt(5)) {
            case 0 -> semaphore.acquire(scene.upToMillis(WAIT_MILLIS));
            case 1 -> semaphore.tryAcquire().orElse(null);
            case 2 -> semaphore.tryAcquire(scene.upToMillis(WAIT_MILLIS)).orElse(null);
            case 3 -> end(scene, semaphore.tryAcquireAsync(scene.upToMillis(WAIT_MILLIS)));
            default -> AsyncOperations.end(scene, semaphore.acquireAsync());
        };
        if (lease == null) {
            return;
        }
        Stay permit = scene.witness().enterPool(Names.POOL, PERMITS, Scene.validity(lease));
        Stay slot = scene.enter(lease, floors.getOrDefault(lease.resource(), 0L));
        scene.work();
        permit.stepOut();
        scene.release(client, lease, slot);
    }

    private static void lockSet(Scene scene, Client client) throws InterruptedException, ExecutionException {
        List<String> names = IntStream.range(0, SETS_OF)
                .filter(name -> scene.random().nextBoolean())
                .mapToObj(name -> Names.SET + name)
                .toList();
        if (names.isEmpty()) {
            return;
        }
        Map<String, Long> floors = new HashMap<>();
        names.forEach(name -> floors.put(name, scene.floor(name)));
        MultiLease leases = acquire(scene, client.holdfast(), names);
        if (leases == null) {
            return;
        }
        List<Stay> stays = new ArrayList<>();
        leases.all().forEach(lease -> stays.add(scene.enter(lease, floors.getOrDefault(lease.resource(), 0L))));
        scene.work();
        leases.all().forEach(scene::requireNotReleased);
        stays.forEach(Stay::leave);
        leases.close();
    }

    private static @Nullable MultiLease acquire(Scene scene, Holdfast holdfast, List<String> names)
            throws InterruptedException, ExecutionException {
        MultiLock set = Locks.multiLock(holdfast, names, scene.oneIn(3) ? TINY : OPTIONS);
        switch (scene.random().nextInt(5)) {
            case 2 -> {
                return set.tryAcquire(scene.upToMillis(WAIT_MILLIS)).orElse(null);
            }
            case 3 -> {
                return end(scene, set.tryAcquireAsync(scene.upToMillis(WAIT_MILLIS)));
            }
            case 0 -> {
                return set.acquire(scene.upToMillis(WAIT_MILLIS));
            }
            case 1 -> {
                return set.tryAcquire().orElse(null);
            }
            default -> {
                CompletableFuture<MultiLease> wanted = set.acquireAsync();
                if (scene.random().nextBoolean()) {
                    scene.pause(CANCEL_MICROS);
                    wanted.cancel(true);
                }
                try {
                    return wanted.get();
                } catch (CancellationException ended) {
                    return null;
                }
            }
        }
    }

    /** Returns the result, unless the caller cancels the future first. */
    private static <T> @Nullable T end(Scene scene, CompletableFuture<Optional<T>> wanted)
            throws InterruptedException, ExecutionException {
        if (scene.random().nextBoolean()) {
            scene.pause(CANCEL_MICROS);
            wanted.cancel(true);
        }
        try {
            return wanted.get().orElse(null);
        } catch (CancellationException cancelled) {
            return null;
        }
    }
}
