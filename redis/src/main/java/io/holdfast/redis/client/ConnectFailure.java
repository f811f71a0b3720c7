package io.holdfast.redis.client;

/**
 * The reason why a connection could not be made.
 *
 * @param cause one line without a password, with the remedy where one is known
 * @param lasting whether waiting does not help, as with a wrong password: an administrator has to change something
 */
public record ConnectFailure(String cause, boolean lasting) {

    /** Returns a failure that may end by itself. */
    public static ConnectFailure passing(String cause) {
        return new ConnectFailure(cause, false);
    }

    /** Returns a failure that an administrator has to correct. */
    public static ConnectFailure lasting(String cause) {
        return new ConnectFailure(cause, true);
    }

    /** Returns the failure of a connection that a server of this role refused with this error. */
    public static ConnectFailure ofServer(String message, ServerAddress.Role role) {
        return new ConnectFailure(ServerErrors.explain(message, role), ServerErrors.isLasting(message));
    }

    /** Returns an exception that {@link ConnectFailures#explain} explains by this failure. */
    public Explained asException() {
        return new Explained(this);
    }

    /** The exception of a failure whose reason was known where it occurred, and only there. */
    public static final class Explained extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient ConnectFailure failure;

        private Explained(ConnectFailure failure) {
            super(failure.cause());
            this.failure = failure;
        }

        /** Returns the failure. */
        public ConnectFailure failure() {
            return failure;
        }
    }
}
