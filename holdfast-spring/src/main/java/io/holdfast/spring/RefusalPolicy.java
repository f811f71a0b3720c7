package io.holdfast.spring;

/** The consequences for a call whose lock was not granted. */
public enum RefusalPolicy {
    /** The call throws the exception of the acquisition: {@code LockTimeoutException} or {@code QuorumUnreachableException}. */
    THROW,
    /**
     * The method does not run. The call returns {@code null}, an empty {@link java.util.Optional Optional}, a future that has completed
     * with {@code null}, or an empty publisher.
     */
    SKIP
}
