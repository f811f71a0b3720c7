package io.holdfast.cli.file;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.FileFailure;
import java.io.IOException;

/** Explains why a file that the user named cannot be read. */
public final class Unreadable {

    private Unreadable() {}

    /**
     * Returns the failure of a command that needs the file.
     *
     * @param what the purpose and the name of the file
     */
    public static Failure of(String what, IOException cause) {
        return new Failure(ExitCode.USAGE, what + " cannot be read: " + FileFailure.reason(cause));
    }
}
