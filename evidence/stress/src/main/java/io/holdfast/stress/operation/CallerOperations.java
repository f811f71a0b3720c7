package io.holdfast.stress.operation;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Acquisitions by callers of every kind: workers of pools, virtual threads, full stacks, and an executor that rejects.
 */
public final class CallerOperations implements Operation {

    private static final int WAIT_MILLIS = 300;
    private static final int LOCKS = 2;
    private static final long STACK_BYTES = 512 * 1024;
    /** Small frames, more than one call needs. */
    private static final int DEEPEST = 1_500;

    /** A pool without a spare thread for a worker that waits. */
    private static final ForkJoinPool NARROW = new ForkJoinPool(
            2, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, false, 0, 2, 1, null, 1, TimeUnit.MINUTES);

    private static final Executor REJECTING = task -> {
        throw new RejectedExecutionException("an executor that rejects each task");
    };

    private static final ExecutorService VIRTUAL = virtualThreads();

    /** Returns an executor of virtual threads; below Java 21, of other threads. */
    private static ExecutorService virtualThreads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException none) {
            return Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "stress-caller");
                thread.setDaemon(true);
                return thread;
            });
        }
    }

    @Override
    public void run(OperationContext context) throws InterruptedException, ExecutionException {
        Client client = context.client();
        DistributedLock lock =
                client.holdfast().lock(Names.CALLER + context.random().nextInt(LOCKS));
        switch (context.random().nextInt(5)) {
            case 0 -> onThreadOf(ForkJoinPool.commonPool(), context, client, lock);
            case 1 -> onThreadOf(NARROW, context, client, lock);
            case 2 -> onThreadOf(VIRTUAL, context, client, lock);
            case 3 -> inFullStack(context, client, lock);
            default -> withRejection(context, client, lock);
        }
    }

    private static void onThreadOf(ExecutorService pool, OperationContext context, Client client, DistributedLock lock)
            throws InterruptedException, ExecutionException {
        pool.submit(() -> {
                    long floor = context.floor(lock.resource());
                    context.hold(client, lock.acquire(context.upToMillis(WAIT_MILLIS)), floor);
                    return true;
                })
                .get();
    }

    private static void withRejection(OperationContext context, Client client, DistributedLock lock)
            throws InterruptedException, ExecutionException {
        long floor = context.floor(lock.resource());
        CompletableFuture<Lease> acquisition = lock.acquireAsync(context.upToMillis(WAIT_MILLIS));
        acquisition.thenAcceptAsync(
                lease -> context.report(Kind.UNEXPECTED, "ran on an executor that rejects"), REJECTING);
        context.hold(client, acquisition.get(), floor);
    }

    private static void inFullStack(OperationContext context, Client client, DistributedLock lock)
            throws InterruptedException {
        long floor = context.floor(lock.resource());
        Descent descent = new Descent(lock, 1 + context.random().nextInt(DEEPEST));
        Thread thread = new Thread(null, descent::fill, "stress-full-stack", STACK_BYTES);
        thread.start();
        thread.join();
        Lease lease = descent.lease;
        if (lease != null) {
            context.hold(client, lease, floor);
        }
    }

    /** An acquisition with little room on the stack. */
    private static final class Descent {

        private final DistributedLock lock;
        private int frames;
        private @Nullable Lease lease;

        Descent(DistributedLock lock, int frames) {
            this.lock = lock;
            this.frames = frames;
        }

        /** Calls itself until the stack is full, and acquires some frames above. Returns {@code true} before that. */
        @SuppressWarnings("InfiniteRecursion")
        private boolean fill() {
            boolean ascends;
            try {
                ascends = fill();
            } catch (StackOverflowError full) {
                ascends = true;
            }
            if (!ascends || --frames > 0) {
                return ascends;
            }
            try {
                // The field is set without a call, which might fail.
                lease = lock.acquire(Duration.ofMillis(WAIT_MILLIS));
            } catch (Throwable failed) {
                // The lock was not acquired.
            }
            return false;
        }
    }
}
