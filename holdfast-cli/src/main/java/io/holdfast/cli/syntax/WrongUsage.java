package io.holdfast.cli.syntax;

/** What stands on the command line makes no sense; the message says what would. */
public final class WrongUsage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong, with the command whose help says how it is right. */
    public WrongUsage(String what, String command) {
        super(what + "\nsee `" + command + " --help`", null, false, false);
    }
}
