package io.holdfast.cli.exit;

/** An expected failure that ends the command: its message is printed on stderr, and its exit code is returned. */
public final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public Failure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
