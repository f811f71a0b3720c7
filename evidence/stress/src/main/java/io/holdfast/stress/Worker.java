package io.holdfast.stress;

import io.holdfast.HoldfastException;
import io.holdfast.stress.operation.Family;
import io.holdfast.stress.operation.OperationContext;
import io.holdfast.stress.witness.Kind;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;

/** A thread of an epoch: it runs operations one after another, and reports undocumented exceptions. */
final class Worker implements Runnable {

    private final OperationContext context;
    private final List<Family> families;
    private final LongAdder operations;
    private volatile boolean stopped;
    private volatile Family current;

    Worker(OperationContext context, List<Family> families, LongAdder operations) {
        this.context = context;
        this.families = families;
        this.operations = operations;
        this.current = families.get(0);
    }

    void stop() {
        stopped = true;
    }

    Family current() {
        return current;
    }

    @Override
    public void run() {
        while (!stopped) {
            current = families.get(context.random().nextInt(families.size()));
            runOne(current);
            operations.increment();
        }
    }

    private void runOne(Family family) {
        try {
            family.operation().run(context);
        } catch (InterruptedException | CancellationException | HoldfastException expected) {
            // Documented: the caller was interrupted, has cancelled, or did not get the lock.
        } catch (ExecutionException e) {
            reportUndocumented(family, e.getCause() == null ? e : e.getCause());
        } catch (RuntimeException | Error e) {
            reportUndocumented(family, e);
        } finally {
            // A late interrupt must not affect the next operation.
            Thread.interrupted();
        }
    }

    private void reportUndocumented(Family family, Throwable failure) {
        boolean closed = failure instanceof IllegalStateException
                && String.valueOf(failure.getMessage()).contains("closed");
        if (!(failure instanceof HoldfastException) && !closed) {
            StackTraceElement[] stack = failure.getStackTrace();
            String position = stack.length == 0 ? "" : " at " + stack[0];
            context.report(Kind.UNEXPECTED, family + ": " + failure + position);
        }
    }
}
