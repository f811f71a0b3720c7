package io.holdfast.stress.operation;

import io.holdfast.Acquirable;
import io.holdfast.Held;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.ObservedHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Operations on locks that are composed of several: a semaphore, and sets of locks. */
public final class ComposedOperations implements Operation {

    private static final int PERMITS = 3;
    private static final int SETS_OF = 4;
    private static final int WAIT_MILLIS = 300;
    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofSeconds(1)).build();
    /** So short that the lease of one lock of a set ends while another lock is awaited. */
    private static final LockOptions TINY =
            OPTIONS.toBuilder().lease(Duration.ofMillis(80)).renewal(false).build();

    @Override
    public void run(OperationContext context) throws InterruptedException, ExecutionException {
        Client client = context.client();
        if (context.random().nextBoolean()) {
            semaphore(context, client);
        } else {
            multiLock(context, client);
        }
    }

    private static void semaphore(OperationContext context, Client client)
            throws InterruptedException, ExecutionException {
        DistributedSemaphore semaphore = DistributedSemaphore.of(client.holdfast(), Names.POOL, PERMITS, OPTIONS);
        Map<String, Long> floors = new HashMap<>();
        IntStream.rangeClosed(1, PERMITS)
                .mapToObj(slot -> Names.POOL + "/" + slot)
                .forEach(slot -> floors.put(slot, context.floor(slot)));
        Lease lease = acquire(context, semaphore);
        if (lease == null) {
            return;
        }
        ObservedHold permit = context.witness().enterPool(Names.POOL, PERMITS, OperationContext.validity(lease));
        ObservedHold slot = context.enter(lease, floors.getOrDefault(lease.resource(), 0L));
        context.work();
        permit.leaveSingle();
        context.release(client, lease, slot);
    }

    private static void multiLock(OperationContext context, Client client)
            throws InterruptedException, ExecutionException {
        List<String> names = IntStream.range(0, SETS_OF)
                .filter(name -> context.random().nextBoolean())
                .mapToObj(name -> Names.SET + name)
                .toList();
        if (names.isEmpty()) {
            return;
        }
        Map<String, Long> floors = new HashMap<>();
        names.forEach(name -> floors.put(name, context.floor(name)));
        MultiLease leases = acquire(context, MultiLock.of(client.holdfast(), names, context.oneIn(3) ? TINY : OPTIONS));
        if (leases == null) {
            return;
        }
        List<ObservedHold> holds = new ArrayList<>();
        leases.all().forEach(lease -> holds.add(context.enter(lease, floors.getOrDefault(lease.resource(), 0L))));
        context.work();
        leases.all().forEach(context::requireNotReleased);
        holds.forEach(ObservedHold::leave);
        leases.close();
    }

    private static <H extends Held> @Nullable H acquire(OperationContext context, Acquirable<H> lock)
            throws InterruptedException, ExecutionException {
        return switch (context.random().nextInt(5)) {
            case 0 -> lock.acquire(context.upToMillis(WAIT_MILLIS));
            case 1 -> lock.tryAcquire().orElse(null);
            case 2 -> lock.tryAcquire(context.upToMillis(WAIT_MILLIS)).orElse(null);
            case 3 -> end(context, lock.tryAcquireAsync(context.upToMillis(WAIT_MILLIS)));
            default -> AsyncOperations.end(context, lock.acquireAsync());
        };
    }

    /** Returns what was acquired, or null if another holder had it or the caller ended the acquisition first. */
    @SuppressWarnings("NullableOptional")
    private static <T> @Nullable T end(OperationContext context, CompletableFuture<Optional<T>> wanted)
            throws InterruptedException, ExecutionException {
        @Nullable Optional<T> result = AsyncOperations.end(context, wanted);
        return result == null ? null : result.orElse(null);
    }
}
