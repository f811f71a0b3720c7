package io.holdfast.cli.file;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A call that nothing ends, such as to open a pipe without a writer or to resolve a name. */
public final class DaemonCall {

    private DaemonCall() {}

    /** Begins the call on a thread of this name, which does not keep this process alive. */
    public static <T> CompletableFuture<T> begin(String name, Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> complete(result, call), name);
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static <T> void complete(CompletableFuture<T> result, Callable<T> call) {
        try {
            result.complete(call.call());
        } catch (Throwable failure) {
            result.completeExceptionally(failure);
        }
    }
}
