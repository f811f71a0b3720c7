package io.holdfast.stress;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.stress.witness.Kind;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Acquires that do not block, half of which their caller ends after 0 to 3 ms, in one of four ways. */
final class AsyncOperations implements Operation {

    private static final int SHARES_IN = 4;
    private static final int END_MICROS = 3_000;
    private static final int LONG_LEASE_IN = 100;
    private static final LockOptions OPTIONS = LockOptions.builder().waitLimit(Duration.ofSeconds(1)).build();

    @Override
    public void run(Scene scene) throws InterruptedException, ExecutionException {
        Client client = scene.client();
        if (scene.oneIn(LONG_LEASE_IN)) {
            askForTooMuch(scene, client);
            return;
        }
        boolean shares = scene.oneIn(SHARES_IN);
        DistributedLock lock = client.holdfast().lock(Names.ASYNC + (shares ? "shared" : "alone"), OPTIONS);
        DistributedLock way = shares && scene.random().nextBoolean() ? lock.shared() : lock;
        long floor = scene.floor(lock.resource());
        CompletableFuture<Lease> wanted = way.acquireAsync();
        Lease lease = end(scene, wanted);
        if (lease != null) {
            scene.stay(client, lease, floor);
        }
    }

    /** The lease, if it came before the caller had ended the wait. */
    static @Nullable Lease end(Scene scene, CompletableFuture<Lease> wanted)
            throws InterruptedException, ExecutionException {
        switch (scene.random().nextInt(8)) {
            case 0, 1 -> {
                scene.pause(END_MICROS);
                wanted.cancel(scene.random().nextBoolean());
            }
            case 2 -> {
                scene.pause(END_MICROS);
                wanted.completeExceptionally(new TimeoutException("the caller has gone"));
            }
            case 3 -> wanted.orTimeout(scene.random().nextInt(END_MICROS) + 1L, TimeUnit.MICROSECONDS);
            default -> {}
        }
        try {
            return wanted.get();
        } catch (CancellationException ended) {
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TimeoutException) {
                return null;
            }
            throw e;
        }
    }

    /** A lease that outlasts the time for which a restarted node is kept out must not be granted in any way. */
    private static void askForTooMuch(Scene scene, Client client) throws InterruptedException, ExecutionException {
        DistributedLock lock = client.holdfast().lock(Names.ALONE + "too-long/" + scene.worker());
        LockOptions tooLong = OPTIONS.toBuilder().lease(Nodes.OPTIONS.maxLease().multipliedBy(2)).build();
        try (Lease lease = lock.acquireAsync(tooLong).get()) {
            scene.report(Kind.LEASE_TOO_LONG, lease.toString());
        } catch (IllegalArgumentException expected) {
            // As documented.
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw e;
            }
        }
    }
}
