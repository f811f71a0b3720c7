package io.holdfast.cli.lock;

/** Thrown if too few servers know whether the command has run in its period. The message says so, without a remedy. */
public final class UnknownRuns extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownRuns(String message) {
        super(message, null, false, false);
    }
}
