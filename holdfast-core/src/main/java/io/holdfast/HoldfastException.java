package io.holdfast;

/** The root of all failures of this library. Unchecked. */
public abstract sealed class HoldfastException extends RuntimeException
        permits LockTimeoutException, QuorumUnreachableException, LeaseLostException {

    private static final long serialVersionUID = 1L;

    private final String resource;

    HoldfastException(String resource, String message) {
        super(message);
        this.resource = resource;
    }

    /** What was to be locked. */
    public final String resource() {
        return resource;
    }
}
