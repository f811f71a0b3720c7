package io.holdfast;

/** Thrown if a lease has ended, or cannot be made to last for the requested time. */
public final class LeaseLostException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    LeaseLostException(String resource, String message) {
        super(resource, message);
    }

    /**
     * Returns the exception for a lease that the nodes did not hold any more when it was released, after {@link
     * io.holdfast.lease.ReleaseOutcome#NOT_HELD}. For classes that are built on leases.
     *
     * @param resource the name of the lock
     */
    public static LeaseLostException atRelease(String resource) {
        return new LeaseLostException(
                resource,
                "The lease on '" + resource
                        + "' was lost before its release; another holder may have been inside as well");
    }
}
