package io.holdfast.stress;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Waits whose caller has ended the future, in each way, while another holds the lock: they have to leave the wait queues. */
final class EndedWaits {

    private static final String RESOURCE = "ended-waits";
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long POLL_MILLIS = 20;
    private static final long JOIN_MILLIS = 50;
    private static final int SETTLE_POLLS = 10;

    private static final Map<String, Consumer<CompletableFuture<Lease>>> WAYS = Map.of(
            "cancel", wanted -> wanted.cancel(true),
            "completeExceptionally", wanted -> wanted.completeExceptionally(new TimeoutException()),
            "orTimeout", wanted -> wanted.orTimeout(1, TimeUnit.MILLISECONDS));

    private final Nodes nodes;
    private final Findings findings;

    EndedWaits(Nodes nodes, Findings findings) {
        this.nodes = nodes;
        this.findings = findings;
    }

    /** To be called while no other thread uses the clients. */
    void check(Client holder, Client waiter) throws InterruptedException {
        try (Lease lease = holder.holdfast().lock(RESOURCE).acquire()) {
            int held = heldOnAllNodes();
            for (Map.Entry<String, Consumer<CompletableFuture<Lease>>> way : WAYS.entrySet()) {
                Map<String, Integer> before = Insides.of(waiter);
                endAfterJoining(waiter, way.getValue());
                if (!isAsBefore(waiter, before, held)) {
                    findings.add(
                            Kind.LEFT_IN_CLIENT,
                            "a wait ended by " + way.getKey() + ", while " + lease.state() + ": " + Insides.of(waiter)
                                    + ", before " + before);
                }
            }
        }
    }

    /** An acquire returns when a majority has granted it; the last key may come a moment later. */
    private int heldOnAllNodes() throws InterruptedException {
        int held = 0;
        for (int i = 0; i < SETTLE_POLLS; i++) {
            Thread.sleep(POLL_MILLIS);
            held = Math.max(held, nodes.leftovers(List.of(RESOURCE)).size());
        }
        return held;
    }

    private static void endAfterJoining(Client waiter, Consumer<CompletableFuture<Lease>> end)
            throws InterruptedException {
        DistributedLock lock = waiter.holdfast().lock(RESOURCE, LockOptions.DEFAULT);
        CompletableFuture<Lease> wanted = lock.acquireAsync();
        Thread.sleep(JOIN_MILLIS);
        end.accept(wanted);
    }

    private boolean isAsBefore(Client waiter, Map<String, Integer> before, int held) throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!before.equals(Insides.of(waiter))
                || nodes.leftovers(List.of(RESOURCE)).size() > held) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }
}
