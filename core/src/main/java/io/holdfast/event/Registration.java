package io.holdfast.event;

/**
 * The registration of a callback, which ends when it is closed.
 *
 * <p>Thread-safe. It need not be closed: it ends with the lease or the client that returned it.
 */
@FunctionalInterface
public interface Registration extends AutoCloseable {

    /**
     * Ends the registration. A call of the callback that has begun, or begins at the same moment, runs to its end,
     * maybe after this method has returned; no other one begins. A second call has no effect. Never blocks and throws
     * nothing.
     */
    @Override
    void close();
}
