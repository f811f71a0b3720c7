package io.holdfast.stress;

import static io.holdfast.servers.Eventually.eventually;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.ClientInternals;
import io.holdfast.stress.client.Nodes;
import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Checks that acquisitions whose future the caller ends, in each way, leave the wait queues. */
record EndedWaits(Nodes nodes, Findings findings) {

    private static final String RESOURCE = "ended-waits";
    private static final long POLL_MILLIS = 20;
    private static final long JOIN_MILLIS = 50;

    private static final Map<String, Consumer<CompletableFuture<Lease>>> WAYS = Map.of(
            "cancel", future -> future.cancel(true),
            "completeExceptionally", future -> future.completeExceptionally(new TimeoutException()),
            "orTimeout", future -> future.orTimeout(1, TimeUnit.MILLISECONDS));

    /** Runs the check. No other thread may use the clients meanwhile. */
    void check(Client holder, Client waiter) throws InterruptedException {
        try (Lease lease = holder.holdfast().lock(RESOURCE).acquire()) {
            int held = heldOnAllNodes();
            for (Map.Entry<String, Consumer<CompletableFuture<Lease>>> way : WAYS.entrySet()) {
                Map<String, Integer> before = ClientInternals.of(waiter);
                endAfterJoining(waiter, way.getValue());
                if (!isAsBefore(waiter, before, held)) {
                    findings.add(
                            Kind.LEFT_IN_CLIENT,
                            "a wait ended by " + way.getKey() + ", while " + lease.state() + ": "
                                    + ClientInternals.of(waiter) + ", before " + before);
                }
            }
        }
    }

    /** Returns the number of keys when all nodes have granted the lock; an acquire returns after a majority has. */
    private int heldOnAllNodes() {
        eventually(
                "all nodes have granted the lock",
                () -> nodes.leftovers(List.of(RESOURCE)).size() >= Nodes.COUNT);
        return nodes.leftovers(List.of(RESOURCE)).size();
    }

    private static void endAfterJoining(Client waiter, Consumer<CompletableFuture<Lease>> end)
            throws InterruptedException {
        DistributedLock lock = waiter.holdfast().lock(RESOURCE, LockOptions.DEFAULT);
        CompletableFuture<Lease> future = lock.acquireAsync();
        Thread.sleep(JOIN_MILLIS);
        end.accept(future);
    }

    private boolean isAsBefore(Client waiter, Map<String, Integer> before, int held) throws InterruptedException {
        long end = System.nanoTime() + Leftovers.LIMIT.toNanos();
        while (!before.equals(ClientInternals.of(waiter))
                || nodes.leftovers(List.of(RESOURCE)).size() > held) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }
}
