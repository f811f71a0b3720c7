package io.holdfast.cli.syntax;

/** An error on the command line; the message contains the remedy. */
public final class WrongUsage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the error. The message refers to the help of the command. */
    public WrongUsage(String error, String command) {
        super(error + "; see `" + command + " --help`", null, false, false);
    }
}
