package io.holdfast.stress;

import io.holdfast.HoldfastException;
import io.holdfast.stress.witness.Kind;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;

/** One thread of an epoch: an operation after the other, and a judgement of what they throw. */
final class Worker implements Runnable {

    private final Scene scene;
    private final List<Family> families;
    private final LongAdder operations;
    private volatile boolean stopped;
    private volatile Family present;

    Worker(Scene scene, List<Family> families, LongAdder operations) {
        this.scene = scene;
        this.families = families;
        this.operations = operations;
        this.present = families.get(0);
    }

    void stop() {
        stopped = true;
    }

    Family present() {
        return present;
    }

    @Override
    public void run() {
        while (!stopped) {
            present = families.get(scene.random().nextInt(families.size()));
            runOne(present);
            operations.increment();
        }
    }

    private void runOne(Family family) {
        try {
            family.operation().run(scene);
        } catch (InterruptedException | CancellationException | HoldfastException expected) {
            // Documented: the caller was interrupted, has cancelled, or did not get the lock.
        } catch (ExecutionException e) {
            judge(family, e.getCause() == null ? e : e.getCause());
        } catch (RuntimeException | Error e) {
            judge(family, e);
        } finally {
            // One that came too late must not meet the next operation.
            Thread.interrupted();
        }
    }

    private void judge(Family family, Throwable failure) {
        boolean closed = failure instanceof IllegalStateException
                && String.valueOf(failure.getMessage()).contains("closed");
        if (!(failure instanceof HoldfastException) && !closed) {
            StackTraceElement[] stack = failure.getStackTrace();
            String place = stack.length == 0 ? "" : " at " + stack[0];
            scene.report(Kind.UNEXPECTED, family + ": " + failure + place);
        }
    }
}
