package io.holdfast.cli.exit;

import java.util.function.Supplier;

/** An expected failure that ends the command: its message is printed on stderr, and its exit code is returned. */
public final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public Failure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /** Returns what the call returns. If that is not possible, its reason is the rest of this message. */
    public static <T> T instead(int exitCode, String message, Supplier<T> call) {
        try {
            return call.get();
        } catch (IllegalStateException notPossible) {
            throw new Failure(exitCode, message + notPossible.getMessage());
        }
    }

    public int exitCode() {
        return exitCode;
    }
}
