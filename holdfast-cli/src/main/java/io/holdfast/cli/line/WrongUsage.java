package io.holdfast.cli.line;

/** What stands on the command line makes no sense; the message says what would. */
public final class WrongUsage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WrongUsage(String message) {
        super(message, null, false, false);
    }
}
