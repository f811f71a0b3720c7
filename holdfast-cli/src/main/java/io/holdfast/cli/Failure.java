package io.holdfast.cli;

/** The command ends here: with this code, and with this line on stderr. */
final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    Failure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
