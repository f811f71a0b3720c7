package io.holdfast.spring;

/** The consequences for a call whose lock was not granted. */
public enum RefusalPolicy {
    /**
     * The call throws the exception of the acquisition: {@code LockTimeoutException} or {@code
     * QuorumUnreachableException}.
     */
    THROW,
    /**
     * The method does not run. The call returns {@code null}, an empty {@link java.util.Optional Optional}, a future
     * that has completed with {@code null}, or an empty publisher. Only a call that meets the rest of {@link
     * HoldfastLock#holdAtLeast} of a failed call of this process throws an {@code IllegalStateException} with the
     * failure as its cause: a retry is no success.
     */
    SKIP
}
