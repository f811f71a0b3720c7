package io.holdfast.stress.operation;

import java.util.concurrent.ExecutionException;

/** A use of the library by one thread, which takes at most a few seconds and holds nothing afterwards. */
public interface Operation {

    /** Runs the operation. It may throw every documented exception; the worker reports the others. */
    void run(OperationContext context) throws InterruptedException, ExecutionException;
}
