package io.holdfast.stress.operation;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.client.Nodes;
import io.holdfast.stress.witness.Kind;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asynchronous acquisitions, half of which the caller ends after 0 to 3 ms, in one of four ways. */
public final class AsyncOperations implements Operation {

    private static final int ONE_SHARED_IN = 4;
    private static final int END_MICROS = 3_000;
    private static final int ONE_LONG_LEASE_IN = 100;
    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofSeconds(1)).build();

    @Override
    public void run(OperationContext context) throws InterruptedException, ExecutionException {
        Client client = context.client();
        if (context.oneIn(ONE_LONG_LEASE_IN)) {
            requestTooLongLease(context, client);
            return;
        }
        boolean shared = context.oneIn(ONE_SHARED_IN);
        DistributedLock lock = client.holdfast().lock(Names.ASYNC + (shared ? "shared" : "exclusive"), OPTIONS);
        DistributedLock requested = shared && context.random().nextBoolean() ? lock.shared() : lock;
        long floor = context.floor(lock.resource());
        CompletableFuture<Lease> future = requested.acquireAsync();
        Lease lease = end(context, future);
        if (lease != null) {
            context.hold(client, lease, floor);
        }
    }

    /** Returns the result, or null if the caller ended the acquisition first. */
    public static <T> @Nullable T end(OperationContext context, CompletableFuture<T> future)
            throws InterruptedException, ExecutionException {
        switch (context.random().nextInt(8)) {
            case 0, 1 -> {
                context.pause(END_MICROS);
                future.cancel(context.random().nextBoolean());
            }
            case 2 -> {
                context.pause(END_MICROS);
                future.completeExceptionally(new TimeoutException("ended by the caller"));
            }
            case 3 -> future.orTimeout(context.random().nextInt(END_MICROS) + 1L, TimeUnit.MICROSECONDS);
            default -> {}
        }
        try {
            return future.get();
        } catch (CancellationException ended) {
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TimeoutException) {
                return null;
            }
            throw e;
        }
    }

    /** Requests a lease that is longer than the quarantine of a restarted node, which must not be granted. */
    private static void requestTooLongLease(OperationContext context, Client client)
            throws InterruptedException, ExecutionException {
        DistributedLock lock = client.holdfast().lock(Names.UNCONTENDED + "too-long/" + context.worker());
        LockOptions tooLong = OPTIONS.toBuilder()
                .lease(Nodes.OPTIONS.maxLease().multipliedBy(2))
                .build();
        try (Lease lease = lock.acquireAsync(tooLong).get()) {
            context.report(Kind.LEASE_TOO_LONG, lease.toString());
        } catch (IllegalArgumentException expected) {
            // As documented.
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw e;
            }
        }
    }
}
