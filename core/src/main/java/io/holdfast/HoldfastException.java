package io.holdfast;

import io.holdfast.node.ResourceName;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * The common type of all failures of this library: contention until a limit, too few nodes, a lost lease. Unchecked and
 * serializable. A method that fails otherwise throws {@link IllegalArgumentException} for a bad value, {@link
 * IllegalStateException} for a closed client, or {@link InterruptedException}.
 */
public abstract sealed class HoldfastException extends RuntimeException
        permits LockTimeoutException, QuorumUnreachableException, LeaseLostException {

    private static final long serialVersionUID = 1L;

    private final String resource;

    HoldfastException(String resource, String message) {
        super(ResourceName.printable(message));
        this.resource = resource;
    }

    /** Returns the name of the lock. */
    public final String resource() {
        return resource;
    }

    /**
     * Returns the failure of a future in the form that the blocking methods throw: a {@code HoldfastException} with the
     * stack trace of the calling thread, which shows where the failure was waited for.
     *
     * <pre>{@code
     * try {
     *     lease = lock.acquireAsync().get();
     * } catch (ExecutionException e) {
     *     throw HoldfastException.from(e);
     * }
     * }</pre>
     *
     * @param wrapper as {@code Future.get} throws it
     * @return the cause if it is unchecked; otherwise an {@link IllegalStateException} whose cause is the wrapper
     */
    public static RuntimeException from(ExecutionException wrapper) {
        return unwrap(wrapper);
    }

    /**
     * Returns the failure of a future in the form that the blocking methods throw; see {@link
     * #from(ExecutionException)}.
     *
     * @param wrapper as {@code CompletableFuture.join} throws it
     * @return the cause if it is unchecked; otherwise an {@link IllegalStateException} whose cause is the wrapper
     */
    public static RuntimeException from(CompletionException wrapper) {
        return unwrap(wrapper);
    }

    private static RuntimeException unwrap(Exception wrapper) {
        Throwable cause = wrapper.getCause();
        if (cause instanceof HoldfastException failure) {
            failure.setStackTrace(Thread.currentThread().getStackTrace());
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(wrapper);
    }
}
