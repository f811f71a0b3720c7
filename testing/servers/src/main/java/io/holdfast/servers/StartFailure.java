package io.holdfast.servers;

/** Thrown when a server did not start; the message contains the reason and the end of its log. */
final class StartFailure extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final boolean portTaken;

    StartFailure(String message, boolean portTaken) {
        super(message);
        this.portTaken = portTaken;
    }

    /** Returns true if the port was taken, so that another port may work. */
    boolean portTaken() {
        return portTaken;
    }
}
