package io.holdfast;

/** Thrown if a lease has ended, or cannot be made to last for the requested time. */
public final class LeaseLostException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception, for classes that are built on leases.
     *
     * @param resource the name of the lock
     */
    public LeaseLostException(String resource, String message) {
        super(resource, message);
    }
}
