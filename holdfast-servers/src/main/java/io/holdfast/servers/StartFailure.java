package io.holdfast.servers;

/** A server did not start; the message says why, with the end of its log. */
final class StartFailure extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final boolean portTaken;

    StartFailure(String message, boolean portTaken) {
        super(message);
        this.portTaken = portTaken;
    }

    /** Whether another port may do. */
    boolean portTaken() {
        return portTaken;
    }
}
